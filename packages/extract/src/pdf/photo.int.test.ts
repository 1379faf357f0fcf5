import { writeFileSync } from 'node:fs'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import type { ExtractEvent } from '../block.ts'
import { runExtractor } from '../child/run-extractor.ts'
import { openPdf } from './document/pdfium.ts'
import { openSource } from './document/source.ts'
import { type GrayImage, type Turn, turned } from './ocr/gray-png.ts'
import { drawPage } from './ocr/render.ts'
import { type PdfPage, writePdf } from './pdf.fixture.ts'
import { extractPdf } from './read.ts'

const fileOf = (sample: Parameters<typeof writePdf>[0]): string => {
  const path = temporaryFile('sample.pdf')
  writeFileSync(path, writePdf(sample))
  return path
}

const drawn = async (page: PdfPage, dpi: number): Promise<GrayImage> => {
  const source = openSource(fileOf({ pages: [page] }))
  const document = await openPdf(source)
  const image = drawPage(document, 1, dpi)
  document.close()
  source.close()
  return image
}

const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Renders a phone's picture of a page on a desk: askew, closer at the bottom, lit from one side, with grain. */
const photographed = ({ width, height, pixels }: GrayImage, seed: number): GrayImage => {
  const random = randomFrom(seed)
  const [wide, high] = [3_024, 4_032]
  const [sin, cos] = [Math.sin(0.045), Math.cos(0.045)]
  const result = new Uint8Array(wide * high)
  for (let y = 0, index = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1, index += 1) {
      const [right, down] = [x - wide / 2, y - high / 2]
      const scale = (height / (high * 0.86)) * (1.01 - (down / high) * 0.02)
      const fromX = Math.round(width / 2 + (right * cos + down * sin) * scale)
      const fromY = Math.round(height / 2 + (down * cos - right * sin) * scale)
      const isPaper = fromX >= 0 && fromX < width && fromY >= 0 && fromY < height
      const brightness = isPaper ? 30 + pixels[fromY * width + fromX]! * 0.8 : 60 + random() * 40
      result[index] = brightness * (1 - (0.5 * x) / wide) + random() * 16
    }
  return { width: wide, height: high, pixels: result }
}

const lines = `The harbour of Linden was closed for eleven weeks in the winter of 1924, because the ice reached from
the lighthouse to the fish market. Bread came over the hills on sledges, and the council met every
Tuesday to decide who would get coal. Mrs. Halvorsen, who kept the minutes, wrote that nobody
complained except the baker, and that he complained for all the others. In March the wind turned;
within four days the first steamer lay at the quay with 300 tons of flour. Repairs of the northern
bridge cost more and took longer than planned. The report names three reasons: the piers stood on
gravel instead of rock, the oak for the frame arrived green, and half of the crew left for the harvest.`.split('\n')
const cells = [
  ['Item', 'Amount', 'Price'],
  ['Apples', '120', '4.50'],
  ['Pears', '85', '6.20'],
  ['Plums', '310', '2.75'],
  ['Cherries', '42', '9.90'],
]
const rules = [
  ...cells.concat([[]]).map((_, row) => `60 ${600 - row * 20} m 420 ${600 - row * 20} l S`),
  ...[60, 180, 300, 420].map((x) => `${x} 600 m ${x} 500 l S`),
].join('\n')
const page: PdfPage = {
  operators: rules,
  lines: [
    ...lines.map((text, index) => ({ text, x: 60, y: 760 - index * 16 })),
    ...cells.flatMap((row, index) => row.map((text, column) => ({ text, x: 66 + column * 120, y: 586 - index * 20 }))),
  ],
}
const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}.]*[\p{L}\p{N}]/gu) ?? []

const textOf = (events: readonly ExtractEvent[]): string =>
  events.flatMap((event) => (event.event === 'block' ? [event.block.text] : [])).join('\n')

/** Returns the share of `truth` words found in the text; repeated words count repeatedly. */
const recall = (text: string, truth: readonly string[]): number => {
  const found = new Map<string, number>()
  for (const word of wordsIn(text)) found.set(word, (found.get(word) ?? 0) + 1)
  return (
    truth.filter((word) => {
      const left = found.get(word) ?? 0
      found.set(word, left - 1)
      return left > 0
    }).length / truth.length
  )
}

const read = (path: string) => Array.fromAsync(runExtractor({ type: 'pdf', path, options: {} }))
const codes = (events: readonly ExtractEvent[]) =>
  events.flatMap((event) => (event.event === 'note' ? [event.code] : []))

describe('a photo of a page', () => {
  it.each([0, 1, 2, 3] as const)(
    'turned by %i quarters is read, with its table, in a child of at most 256 MiB',
    {
      timeout: 120_000,
    },
    async (turn: Turn) => {
      const photo = turned(photographed(await drawn(page, 300), turn + 1), turn)
      const image = { ...photo, gray: photo.pixels }
      const events = await read(fileOf({ pages: [{ size: [photo.width, photo.height], image }] }))
      const text = textOf(events)
      expect(recall(text, wordsIn(`${lines.join(' ')} ${cells.flat().join(' ')}`))).toBeGreaterThanOrEqual(0.98)
      expect(text).toContain('| Cherries | 42 | 9.90 |')
      expect(codes(events)).toEqual([])
    },
  )
})

describe('a script that no language of OCR covers', () => {
  it('is noted with the languages and the setting, and the meaningless result is left out', {
    timeout: 120_000,
  }, async () => {
    const random = randomFrom(5)
    const stroke = (x: number, y: number) =>
      `${x + random() * 7} ${y + random() * 9} m ${x + random() * 7} ${y + random() * 9} l S`
    const operators = Array.from({ length: 1_200 }, (_, index) => {
      const [x, y] = [60 + (index % 48) * 10, 760 - Math.floor(index / 48) * 20]
      return index % 7 === 6 ? '' : [stroke(x, y), stroke(x, y), stroke(x, y)].join('\n')
    })
    const events = await Array.fromAsync(
      extractPdf(fileOf({ pages: [{ operators: operators.join('\n') }, { lines: ['Readable.'] }] }), {}),
    )
    expect(textOf(events)).toBe('Readable.')
    const note = events.find((event) => event.event === 'note')
    expect(note).toMatchObject({ code: 'ocr_unreadable', at: { page: 1 } })
    expect(note).toHaveProperty('message', expect.stringMatching(/OCR in eng .* CAIRN_OCR_LANGUAGES/))
  })
})

describe('the text layer that another program added to a scan', () => {
  const layered = async (layer: readonly string[]): Promise<Parameters<typeof writePdf>[0]> => {
    const scan = await drawn({ lines: page.lines ?? [] }, 200)
    const text = layer.map((line, index) => `BT 3 Tr /F1 9 Tf 60 ${760 - index * 16} Td (${line}) Tj ET`).join('\n')
    const sheet: PdfPage = { image: { ...scan, gray: scan.pixels }, operators: text }
    return { pages: [sheet, sheet, sheet] }
  }

  it('is replaced on all pages if it is meaningless', { timeout: 120_000 }, async () => {
    const events = await read(fileOf(await layered(lines.map((line) => line.replace(/[a-z]/g, 'x1')))))
    expect(events.filter(({ event }) => event === 'ocr')).toHaveLength(3)
    expect(textOf(events).match(/kept the minutes/g)).toHaveLength(3)
    expect(textOf(events)).not.toContain('x1x1')
  })

  it('is used if it matches the first page', { timeout: 120_000 }, async () => {
    const events = await read(fileOf(await layered(lines.map((line) => line.replace('minutes', 'rninutes')))))
    expect(events.filter(({ event }) => event === 'ocr')).toEqual([])
    expect(textOf(events).match(/kept the rninutes/g)).toHaveLength(3)
  })
})

describe('a page with little text and a picture', () => {
  it('has its text once, whatever OCR reads', { timeout: 120_000 }, async () => {
    // A slide: a title, and a diagram without words over a third of the page.
    const logo = Array.from(
      { length: 90 },
      (_, index) => `${index % 7 ? 0.3 : 0.8} 0.2 0.5 rg ${80 + index * 5} ${120 + (index % 9) * 20} 4 150 re f`,
    )
    const picture = await drawn({ size: [842, 595], operators: logo.join('\n') }, 100)
    const slide: PdfPage = {
      size: [842, 595],
      image: { ...picture, gray: picture.pixels },
      lines: [{ text: 'Quarterly results: 2024', x: 80, y: 500, size: 32 }],
    }
    const events = await Array.fromAsync(extractPdf(fileOf({ pages: [slide] }), {}))
    expect(textOf(events)).toBe('Quarterly results: 2024')
    expect(events.filter(({ event }) => event === 'ocr')).toEqual([])
  })
})

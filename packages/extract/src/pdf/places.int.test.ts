import { writeFileSync } from 'node:fs'
import { directTextWorker } from '@cairn/domain/text/direct-text-worker'
import { decodePlaces, type PlacedStretch, pageEdge } from '@cairn/domain/text/places'
import type { Chunk } from '@cairn/file-pipeline/chunk/chunk'
import { cutChunks } from '@cairn/file-pipeline/chunk/cut-chunks'
import { temporaryFile } from '@cairn/testing/temporary'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Block, ExtractOptions } from '../block.ts'
import { childMessage } from '../child/child-messages.ts'
import { openPdf } from './document/pdfium.ts'
import { openSource } from './document/source.ts'
import { layOutWords } from './lines/layout.ts'
import { type GrayImage, type Turn, turned } from './ocr/gray-png.ts'
import { drawScan } from './ocr/render.ts'
import { type PdfPage, writeObjects, writePdf } from './pdf.fixture.ts'
import { placesOfLines } from './places.ts'
import { extractPdf } from './read.ts'
import type { Word } from './words/words.ts'

const fileOf = (bytes: Uint8Array): string => {
  const path = temporaryFile('places.pdf')
  writeFileSync(path, bytes)
  return path
}

/** Reads blocks as the parent of the extractor receives them. */
const blocksOf = async (path: string, options: ExtractOptions = {}): Promise<Block[]> =>
  (await Array.fromAsync(extractPdf(path, { ocr: false, ...options }))).flatMap((event) => {
    const message = childMessage.parse(JSON.parse(JSON.stringify(event)))
    return message.event === 'block' ? [message.block as Block] : []
  })

const cut = async (blocks: readonly Block[], maxTokens = 40): Promise<Chunk[]> => {
  const stream = async function* () {
    yield* blocks
  }
  const tokens = async (texts: readonly string[]) =>
    texts.map((text) => Uint32Array.from(text.matchAll(/\S+/g), ({ index }) => index))
  const events = await Array.fromAsync(
    cutChunks(stream(), { maxTokens, overlapTokens: Math.floor(maxTokens / 8), tokens, cut: directTextWorker.cut }),
  )
  return events.flatMap((event) => ('chunk' in event ? [event.chunk] : []))
}
const chunksOf = async (path: string, options: ExtractOptions = {}, maxTokens = 40) =>
  cut(await blocksOf(path, options), maxTokens)

const placesIn = ({ places = '' }: Chunk): PlacedStretch[] => decodePlaces(places)
const textIn = ({ text }: Chunk, { start, end }: PlacedStretch): string => text.slice(start, end)

/**
 * Opens a PDF. `textIn` returns the text that pdfium finds in a box of the upright page, shrunk by the share `inset` at
 * the top and bottom.
 */
const createViewer = async (path: string) => {
  const source = openSource(path)
  const document = await openPdf(source)
  const { pdfium } = document
  const call = pdfium as unknown as Record<string, (...args: readonly number[]) => number>
  return {
    textIn(page: number, { x0, y0, x1, y1 }: PlacedStretch, inset = 0.3): string {
      const handle = pdfium._FPDF_LoadPage(document.handle, page - 1)
      const text = pdfium._FPDFText_LoadPage(handle)
      const [width, height] = [pdfium._FPDF_GetPageWidthF(handle), pdfium._FPDF_GetPageHeightF(handle)]
      const x = (share: number) => (share / pageEdge) * width
      const y = (share: number) => height - (share / pageEdge) * height
      const down = (y1 - y0) * inset
      const [left, top, right, bottom] = [x(x0) + 0.5, y(y0 + down), x(x1) - 0.5, y(y1 - down)]
      const found = document.utf16(
        (buffer, bytes) =>
          // The returned length excludes the terminating zero.
          2 + 2 * (call['_FPDFText_GetBoundedText']?.(text, left, top, right, bottom, buffer, bytes >> 1) ?? 0),
      )
      pdfium._FPDFText_ClosePage(text)
      pdfium._FPDF_ClosePage(handle)
      return found.replaceAll('\0', '')
    },
    close() {
      document.close()
      source.close()
    },
  }
}

/** Characters by which the cut of a line may be off. */
const cutWithin = 3

const plain = (text: string): string => text.replaceAll(/[\s\p{Cc}\ufffe]+/gu, '')

/** Checks each place of the chunks against the page; returns the number of places. */
const follow = async (path: string, chunks: readonly Chunk[], on = path): Promise<number> => {
  const viewer = await createViewer(on)
  let places = 0
  try {
    for (const chunk of chunks)
      for (const place of placesIn(chunk)) {
        const seen = plain(viewer.textIn(chunk.at.page ?? 1, place))
        const text = plain(textIn(chunk, place).replaceAll(/\\([\\|])/g, '$1'))
        // A chunk may begin and end within a line, whose box is then cut by the usual widths of characters.
        const [first, last] = [place.start === 0, place.end === chunk.text.length]
        const sure = text.slice(first ? cutWithin : 0, last ? -cutWithin : undefined)
        if (first || last) expect(seen).toContain(sure)
        else expect(seen).toBe(text)
        expect(seen.length).toBeLessThanOrEqual(text.length + (Number(first) + Number(last)) * cutWithin)
        places += 1
      }
  } finally {
    viewer.close()
  }
  return places
}

/** Returns the characters of a chunk without a place, except blanks and Markdown syntax. */
const withoutPlace = (chunk: Chunk): string => {
  let index = 0
  let rest = ''
  for (const { start, end } of placesIn(chunk)) {
    rest += chunk.text.slice(index, start)
    index = end
  }
  return (rest + chunk.text.slice(index)).replaceAll(/[\s|-]/g, '')
}

type Line = Exclude<NonNullable<PdfPage['lines']>[number], string>
const at = (x: number, y: number, text: string, more: Partial<Line> = {}): Line => ({ text, x, y, ...more })
const words = ['orchard', 'keeper', 'of', 'hives', 'the', 'winter', 'and', 'a', 'well-kept', 'path', 'rain', 'fi|nal']
const prose = (x: number, top: number, lines: number, seed: number): Line[] =>
  Array.from({ length: lines }, (_, line) =>
    at(
      x,
      top - line * 13,
      Array.from({ length: 6 }, (_, index) => words[(seed * 7 + line * 5 + index * 3) % words.length]).join(' '),
    ),
  )

describe('places of text layers', () => {
  it('are one box a line, through columns, hyphens and paragraphs', async () => {
    const left = [
      at(72, 700, 'The winter of that year came so late that the or-'),
      at(72, 687, 'chard stood in bloom. Nobody had seen it be-'),
      at(72, 674, 'fore in the valley of the seven mills.'),
    ].map((line) => ({ ...line, size: 8 }))
    const page = { lines: [...left, ...prose(330, 700, 5, 2), at(72, 760, 'A head of both', { size: 20 })] }
    const path = fileOf(writePdf({ pages: [page] }))
    const chunks = await chunksOf(path, {}, 200)
    expect(chunks.map(({ text }) => text).join('\n')).toContain(
      'the orchard stood in bloom. Nobody had seen it before in',
    )
    expect(chunks.map(withoutPlace).join('')).toBe('')
    expect(await follow(path, chunks)).toBe(9)
    const lines = chunks.flatMap((chunk) => placesIn(chunk).map((place) => textIn(chunk, place)))
    expect(lines).toContain('The winter of that year came so late that the or')
    expect(lines).toContain('chard stood in bloom. Nobody had seen it be')
  })

  it('include each line of a cell, shifted by escapes, and the header of each chunk', async () => {
    const rows = [
      ['Region', 'Product', 'Units'],
      ...Array.from({ length: 12 }, (_, row) => [`Place ${row}`, `pe|ars ${row}`, `${row}20`]),
    ]
    const xs = [72, 200, 330]
    const cells = rows.flatMap((row, r) => row.map((text, c) => at(xs[c] as number, 700 - r * 18, text)))
    const path = fileOf(writePdf({ pages: [{ lines: cells }] }))
    const chunks = await chunksOf(path)
    expect(chunks.length).toBeGreaterThan(2)
    expect(chunks.map(withoutPlace).join('')).toBe('')
    expect(await follow(path, chunks)).toBe(rows.length * 3 + (chunks.length - 1) * 3)
    for (const chunk of chunks) {
      const [first, second] = placesIn(chunk)
      expect(first && textIn(chunk, first)).toBe('Region')
      expect(second && textIn(chunk, second)).toBe('Product')
    }
    expect(chunks[0]?.text).toContain('pe\\|ars 0')
  })

  it('of a continued table leave out the header, which is on the page before', async () => {
    const table = (from: number, header: readonly string[]): PdfPage => ({
      lines: [header, ...Array.from({ length: 4 }, (_, row) => [`Place ${from + row}`, `fruit ${row}`, `${row}20`])]
        .filter((row) => row.length > 0)
        .flatMap((row, r) => row.map((text, c) => at([72, 200, 330][c] as number, 700 - r * 18, text))),
    })
    const path = fileOf(writePdf({ pages: [table(0, ['Region', 'Product', 'Units']), table(4, [])] }))
    const [, second] = await chunksOf(path, {}, 100)
    expect(second?.text).toMatch(/^\| Region \| Product \| Units \|/)
    expect(second && withoutPlace(second)).toBe('RegionProductUnits')
    expect(await follow(path, second ? [second] : [])).toBe(12)
  })

  it('are on the page as shown, also of a turned page and of text that runs upwards', async () => {
    const content = Buffer.from(
      'BT /F1 12 Tf 1 0 0 1 100 200 Tm (A line of the turned page) Tj ET BT /F1 12 Tf 0 1 -1 0 300 100 Tm (Upwards) Tj ET',
    )
    for (const rotate of [0, 90, 180, 270]) {
      const path = fileOf(
        writeObjects([
          '<< /Type /Catalog /Pages 2 0 R >>',
          '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Rotate ${rotate} /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
          { dictionary: '', bytes: content },
          '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
        ]),
      )
      const found = (await chunksOf(path)).flatMap((chunk) =>
        placesIn(chunk).map(({ x0, y0, x1, y1, ...stretch }) => ({
          text: textIn(chunk, { x0, y0, x1, y1, ...stretch }),
          x: (x0 + x1) / 2 / pageEdge,
          y: (y0 + y1) / 2 / pageEdge,
          isWide: (x1 - x0) * (rotate % 180 === 0 ? 400 : 600) > (y1 - y0) * (rotate % 180 === 0 ? 600 : 400),
        })),
      )
      const center = (x: number, y: number): readonly [number, number] =>
        rotate === 0 ? [x, y] : rotate === 90 ? [1 - y, x] : rotate === 180 ? [1 - x, 1 - y] : [y, 1 - x]
      for (const { text, x, y, isWide } of found) {
        const [cx, cy] = text === 'Upwards' ? center(296 / 400, 1 - 124 / 600) : center(167 / 400, 1 - 203 / 600)
        expect([text, Math.abs(x - cx) < 0.03, Math.abs(y - cy) < 0.03]).toEqual([text, true, true])
        expect(isWide).toBe((text === 'Upwards') === (rotate % 180 !== 0))
      }
      expect(found.map(({ text }) => text).sort()).toEqual(['A line of the turned page', 'Upwards'])
    }
  })

  it('are the same when reading begins at a page', async () => {
    const pages = Array.from({ length: 3 }, (_, page) => ({ lines: prose(72, 700, 4, page) }))
    const path = fileOf(writePdf({ pages }))
    const all = await blocksOf(path)
    const last = all.filter((block) => block.at.page === 3)
    expect(await blocksOf(path, { from: { seq: last[0]?.seq ?? 0, page: 3 } })).toEqual(last)
    expect(last.every(({ places }) => places !== undefined)).toBe(true)
  })

  it('point from each chunk to the same words on the page', { timeout: 120_000 }, async () => {
    const page = fc.record({
      columns: fc.integer({ min: 1, max: 2 }),
      lines: fc.integer({ min: 1, max: 12 }),
      seed: fc.nat({ max: 1_000 }),
      table: fc.integer({ min: 0, max: 6 }),
    })
    let bytes = 0
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(page, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 8, max: 80 }),
        async (drafts, maxTokens) => {
          const pages = drafts.map(
            ({ columns, lines, seed, table }): PdfPage => ({
              lines: [
                ...prose(60, 780, lines, seed),
                ...(columns === 2 ? prose(330, 780, lines, seed + 3) : []),
                ...Array.from({ length: table }, (_, row) =>
                  [`${words[(seed + row) % 12]}`, `${row}${seed}`, `a|b ${row}`].map((text, column) =>
                    at([60, 200, 330][column] as number, 500 - row * 17, text),
                  ),
                ).flat(),
              ],
            }),
          )
          const path = fileOf(writePdf({ pages }))
          const chunks = await chunksOf(path, {}, maxTokens)
          expect(await follow(path, chunks)).toBeGreaterThan(0)
          for (const { at, ...chunk } of chunks)
            expect(withoutPlace({ at, ...chunk })).toMatch(at.page === 1 ? /^$/ : /^/)
          for (const chunk of chunks) {
            bytes += chunk.places?.length ?? 0
            count += placesIn(chunk).length
          }
        },
      ),
      { numRuns: 40 },
    )
    expect(bytes / count).toBeLessThan(16)
  })
})

const lines = [
  'The harbour of Linden was closed for eleven weeks in the winter',
  'because the ice reached from the lighthouse to the fish market.',
  'Bread came over the hills on sledges and the council met every',
  'Tuesday to decide who would get coal until the wind turned.',
]

describe('places of scans', () => {
  const scanOf = async (path: string, turn: Turn): Promise<GrayImage> => {
    const source = openSource(path)
    const document = await openPdf(source)
    const image = drawScan(document, 1)
    document.close()
    source.close()
    if (!image) throw new Error('the sample is blank')
    return turned(image, turn)
  }

  it('are one box a word, also of a turned scan', { timeout: 240_000 }, async () => {
    const original = fileOf(
      writePdf({ pages: [{ lines: lines.map((text, index) => at(60, 700 - index * 20, text)) }] }),
    )
    for (const turn of [0, 1] as const) {
      const { width, height, pixels } = await scanOf(original, turn)
      const size = turn === 0 ? ([595, 842] as const) : ([842, 595] as const)
      const scan = fileOf(writePdf({ pages: [{ image: { width, height, gray: pixels }, size }] }))
      const chunks = await chunksOf(scan, { ocr: true }, 100)
      expect(chunks.map(({ text }) => text).join(' ')).toContain('council met every Tuesday')
      expect(chunks.map(withoutPlace).join('')).toBe('')
      // Returns the box of a place on the page before it was rotated.
      const upright = (place: PlacedStretch): PlacedStretch =>
        turn === 0 ? place : { ...place, x0: place.y0, x1: place.y1, y0: pageEdge - place.x1, y1: pageEdge - place.x0 }
      const viewer = await createViewer(original)
      let found = 0
      for (const chunk of chunks)
        for (const place of placesIn(chunk)) {
          expect(plain(viewer.textIn(1, upright(place)))).toContain(textIn(chunk, place))
          found += 1
        }
      viewer.close()
      expect(found).toBe(lines.join(' ').split(' ').length)
      const bytes = chunks.reduce((sum, { places = '' }) => sum + places.length, 0)
      expect(bytes / found).toBeLessThan(10)
    }
  })

  it('follow right-to-left words into reading order', () => {
    const word = (text: string, index: number): Word => ({
      text,
      x0: index * 40,
      x1: index * 40 + 30,
      y: 100,
      style: { font: '', size: 10, isBold: false, isItalic: false, color: 0, mode: 0 },
      index,
      box: { x0: index * 400, y0: 1_000, x1: index * 400 + 300, y1: 1_100 },
    })
    const parts = layOutWords(['עולם', '2024', 'שלום'].map(word))
    const [part] = parts
    if (!part || !('paragraph' in part)) throw new Error('no paragraph')
    const { text, lines } = part.paragraph
    expect(text).toBe('שלום 2024 עולם')
    const places = placesOfLines(lines, 0, { width: 595, height: 842 })
    expect(places.map(({ start, end, x0 }) => [text.slice(start, end), x0])).toEqual([
      ['שלום', 800],
      ['2024', 400],
      ['עולם', 0],
    ])
  })
})

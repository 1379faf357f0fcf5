import { writeFileSync } from 'node:fs'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import type { ExtractEvent } from '../../block.ts'
import { runExtractor, type Used } from '../../child/run-extractor.ts'
import { openPdf } from '../document/pdfium.ts'
import { openSource } from '../document/source.ts'
import { type PdfPage, writePdf } from '../pdf.fixture.ts'
import { extractPdf } from '../read.ts'
import { drawScan } from './render.ts'

const pages = [
  `The harbour of Linden was closed for eleven weeks in the winter of 1924, because the ice reached from the lighthouse to
the fish market. Bread came over the hills on sledges, and the council met every Tuesday to decide who would get coal. Mrs.
Halvorsen, who kept the minutes, wrote that nobody complained except the baker, and that he complained for all the others.
In March the wind turned; within four days the first steamer, the Perseverance, lay at the quay with 300 tons of flour.`,
  `Repairs of the northern bridge cost $48,750 and took longer than planned. The engineer's report names three reasons: the
piers stood on gravel instead of rock, the oak for the frame arrived green, and half of the crew left for the harvest. A
second offer, received in June, was 12% lower but did not include painting. "We build once," said the chairman, "and we pay
once." The vote was 7 to 2; the bridge was opened on 30 September with music and a very short speech.`,
  `Of the school's library little is left. Its catalogue lists 1,206 volumes, among them a set of voyages in green leather,
two atlases and a treatise on bees. After the flood the books were dried in the brewery, page by page, with paper between
the leaves. Those that could be saved carry a brown line at the height of a hand. The treatise on bees is complete, and it
is still the book that is asked for most often when visitors come in summer.`,
].map((page) => page.split('\n'))

const fileOf = (bytes: Uint8Array): string => {
  const path = temporaryFile('sample.pdf')
  writeFileSync(path, bytes)
  return path
}

type GrayScan = { readonly width: number; readonly height: number; readonly gray: Uint8Array }

/** Renders lines like a scanner: rotated by half a degree, gray on gray, with specks. */
const scanned = async (lines: readonly string[], seed: number): Promise<GrayScan> => {
  const source = openSource(
    fileOf(
      writePdf({ pages: [{ lines: lines.map((text, index) => ({ text, x: 50, y: 760 - index * 15, size: 9.5 })) }] }),
    ),
  )
  const document = await openPdf(source)
  const image = drawScan(document, 1)
  document.close()
  source.close()
  if (!image) throw new Error('the sample is blank')
  const { width, height, pixels } = image
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const [sin, cos] = [Math.sin(0.009), Math.cos(0.009)]
  const gray = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const fromX = Math.round(x * cos + y * sin - 8)
      const fromY = Math.round(y * cos - x * sin + 8)
      const ink =
        fromX >= 0 && fromX < width && fromY >= 0 && fromY < height ? (pixels[fromY * width + fromX] ?? 255) : 255
      gray[y * width + x] = 35 + ink * 0.75 + random() * 25
    }
  }
  for (let speck = 0; speck < 400; speck += 1) gray[Math.floor(random() * gray.length)] = 40
  return { width, height, gray }
}

/** Renders the scan at 300 dpi on reddish paper, whose grain does not compress: 26 MB of pixels. */
const inColor = ({ width, height, gray }: GrayScan) => {
  const [wide, high] = [Math.round(width * 1.5), Math.round(height * 1.5)]
  const rgb = new Uint8Array(wide * high * 3)
  let state = 7
  for (let y = 0, index = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1)
      for (let channel = 0; channel < 3; channel += 1, index += 1) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        rgb[index] =
          (gray[Math.floor(y / 1.5) * width + Math.floor(x / 1.5)] ?? 0) * 0.9 - channel * 12 + (state >>> 28)
      }
  return { width: wide, height: high, rgb }
}

/** Returns the edit distance divided by the length of the true text. */
const errorRate = (read: string, truth: string): number => {
  const [a, b] = [read, truth].map((text) => text.replace(/\s+/g, ' ').trim()) as [string, string]
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j += 1) {
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)))
    }
    row = next
  }
  return (row[b.length] ?? 0) / b.length
}

const textOf = (events: readonly ExtractEvent[], page: number): string =>
  events
    .flatMap((event) => (event.event === 'block' && event.block.at.page === page ? [event.block.text] : []))
    .join(' ')

const readByOcr = (events: readonly ExtractEvent[]): number[] =>
  events.flatMap((event) => (event.event === 'ocr' ? [event.page] : []))

describe('pages without usable text', () => {
  it('are read by OCR: three scanned pages, at most 5 % of the letters wrong, in a child of at most 256 MiB', {
    timeout: 240_000,
  }, async () => {
    const samples: PdfPage[] = []
    for (const [index, lines] of pages.entries()) samples.push({ image: await scanned(lines, index + 1) })
    const path = fileOf(writePdf({ pages: samples }))
    let peak = 0
    const onUsed = ({ peakBytes }: Used) => {
      peak = peakBytes
    }
    const events = await Array.fromAsync(runExtractor({ type: 'pdf', path, options: {} }, { onUsed }))
    expect(readByOcr(events)).toEqual([1, 2, 3])
    for (const [index, lines] of pages.entries())
      expect(errorRate(textOf(events, index + 1), lines.join(' '))).toBeLessThanOrEqual(0.05)
    for (const event of events) if (event.event === 'ocr') expect(event.confidence).toBeGreaterThan(70)
    expect(events).toContainEqual({ event: 'progress', page: 3, pages: 3 })
    expect(peak).toBeGreaterThan(50 * 1024 * 1024)
    expect(peak).toBeLessThan(256 * 1024 * 1024)
  })

  it('may be scans in color, among others in gray, in a child of at most 256 MiB', { timeout: 240_000 }, async () => {
    const scans = await Promise.all(pages.map((lines, index) => scanned(lines, index + 1)))
    const images = scans.flatMap((scan) => [{ image: scan }, { image: inColor(scan) }])
    const path = fileOf(writePdf({ pages: images }))
    const events = await Array.fromAsync(runExtractor({ type: 'pdf', path, options: {} }))
    expect(readByOcr(events)).toEqual([1, 2, 3, 4, 5, 6])
    for (const [index, lines] of pages.entries())
      expect(errorRate(textOf(events, 2 * index + 2), lines.join(' '))).toBeLessThanOrEqual(0.05)
  })

  it('have no OCR event if OCR found no text', async () => {
    const rule = '0 0 0 rg 50 400 500 3 re f'
    const form = '/Subtype /Widget /FT /Tx /T (city) /V (Lillehammer) /Rect [100 580 190 600]'
    const path = fileOf(writePdf({ pages: [{ operators: rule, annotations: [form] }] }))
    const events = await Array.fromAsync(extractPdf(path, {}))
    expect(textOf(events, 1)).toBe('city: Lillehammer')
    expect(readByOcr(events)).toEqual([])
  })

  it('leave no getter of pdfium on the global object, which would keep its memory', async () => {
    await scanned(['A line.'], 1)
    expect(Object.getOwnPropertyNames(globalThis)).not.toContain('HandleAllocator')
  })

  it('are the only ones that are read by OCR; empty pages are not', { timeout: 120_000 }, async () => {
    const image = await scanned(pages[0] ?? [], 4)
    const mixed = writePdf({
      pages: [{ lines: ['Text of the first page.'] }, { image }, { lines: [] }, { lines: ['Text of the last page.'] }],
    })
    const events = await Array.fromAsync(extractPdf(fileOf(mixed), {}))
    expect(readByOcr(events)).toEqual([2])
    expect(textOf(events, 1)).toBe('Text of the first page.')
    expect(textOf(events, 2)).toContain('council met every Tuesday')
    expect(textOf(events, 4)).toBe('Text of the last page.')
    const notes = events.filter((event) => event.event === 'note')
    expect(notes).toEqual([
      { event: 'note', code: 'page_without_text', message: 'Page 3 has no text.', at: { page: 3 } },
    ])
  })

  it('include those whose glyphs have no characters', { timeout: 120_000 }, async () => {
    const lines = [{ text: 'These letters can be seen', x: 72, y: 700, size: 14 }]
    const path = fileOf(writePdf({ pages: [{ lines }], unmapped: true }))
    await expect(Array.fromAsync(extractPdf(path, { ocr: false }))).rejects.toMatchObject({ code: 'no_text' })
    const events = await Array.fromAsync(extractPdf(path, {}))
    expect(readByOcr(events)).toEqual([1])
    expect(textOf(events, 1)).toBe('These letters can be seen')
  })

  it('of a huge format are rendered more coarsely', { timeout: 60_000 }, async () => {
    const source = openSource(fileOf(writePdf({ pages: [{ size: [8_000, 6_000], operators: '0 0 4000 6000 re f' }] })))
    const document = await openPdf(source)
    const image = drawScan(document, 1)
    document.close()
    source.close()
    expect(image?.dpi).toBeLessThan(30)
    expect((image?.width ?? 0) * (image?.height ?? 0)).toBeLessThan(6_100_000)
    expect(image?.pixels[10]).toBe(0)
    expect(image?.pixels[(image?.width ?? 0) - 10]).toBe(255)
  })
})

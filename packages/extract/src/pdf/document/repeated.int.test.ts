import { writeFileSync } from 'node:fs'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import type { ExtractEvent, ExtractOptions } from '../../block.ts'
import { writeObjects, writePdf } from '../pdf.fixture.ts'
import { extractPdf } from '../read.ts'

const read = async (bytes: Uint8Array, options: ExtractOptions = {}): Promise<ExtractEvent[]> => {
  const path = temporaryFile('sample.pdf')
  writeFileSync(path, bytes)
  return Array.fromAsync(extractPdf(path, { ocr: false, ...options }))
}
const textsOf = (events: readonly ExtractEvent[]) =>
  events.flatMap((event) => (event.event === 'block' ? [`${event.block.at.page}: ${event.block.text}`] : []))
const notesOf = (events: readonly ExtractEvent[]) =>
  events.flatMap((event) => (event.event === 'note' ? [`${event.code} ${event.at?.page}`] : []))

/** Writes a file of about 300 kB whose page tree names one page 50,000 times. */
const oneNamedOften = (): Buffer =>
  writeObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count 50000 /Kids [${'3 0 R '.repeat(50_000)}] >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    { dictionary: '', bytes: Buffer.from('BT /F1 12 Tf 72 700 Td (The wall was built by hand.) Tj ET') },
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])

it('reads a page that the file lists 50,000 times once, and stops soon', async () => {
  const events = await read(oneNamedOften())
  expect(textsOf(events)).toEqual(['1: The wall was built by hand.'])
  expect(events.findLast(({ event }) => event === 'progress')).toMatchObject({ page: 501 })
  expect(events).toContainEqual(expect.objectContaining({ code: 'truncated', at: { page: 501 } }))
  expect(notesOf(events).filter((note) => note.startsWith('page_repeated'))).toHaveLength(60)
})

const page = (text: string) => ({ lines: [text, `More of ${text}.`] })
/** Two sheets in turn, on pages of several turns of ten, then a sheet of their own. */
const alternating = writePdf({
  pages: Array.from({ length: 26 }, (_, index) =>
    page(index === 25 ? 'The last' : index % 2 ? 'The second' : 'The first'),
  ),
})

it('reads alternating pages once, and continues after them', async () => {
  const events = await read(alternating)
  expect(textsOf(events).map((text) => text.split(':')[0])).toEqual(['1', '2', '26'])
  expect(notesOf(events)).toHaveLength(23)
})

it.each([3, 10, 11, 12, 21, 25, 26])('has the same blocks when it resumes at page %i', async (from) => {
  const whole = await read(alternating)
  const blocks = whole.flatMap((event) => (event.event === 'block' ? [event.block] : []))
  const rest = blocks.filter(({ at }) => (at.page ?? 0) >= from)
  const seq = blocks.length - rest.length
  const resumed = await read(alternating, { from: { seq, page: from } })
  expect(resumed.flatMap((event) => (event.event === 'block' ? [event.block] : []))).toEqual(rest)
})

it('reads pages that differ in a number', async () => {
  const pages = Array.from({ length: 12 }, (_, index) => ({ lines: [`Sheet for house ${index}, nothing to report`] }))
  expect(textsOf(await read(writePdf({ pages })))).toHaveLength(12)
})

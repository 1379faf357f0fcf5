import { writeFileSync } from 'node:fs'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import type { ExtractEvent, ExtractOptions } from '../block.ts'
import { writeEncryptedPdf, writeObjects, writePdf } from './pdf.fixture.ts'
import { extractPdf } from './read.ts'

const fileOf = (bytes: Uint8Array): string => {
  const path = temporaryFile('sample.pdf')
  writeFileSync(path, bytes)
  return path
}

/** Reads a file, by default without OCR: these files are small, but starting the engine is slow. */
const read = async (bytes: Uint8Array, options: ExtractOptions = { ocr: false }): Promise<ExtractEvent[]> =>
  Array.fromAsync(extractPdf(fileOf(bytes), options))

const blocksOf = (events: readonly ExtractEvent[]) =>
  events.flatMap((event) => (event.event === 'block' ? [event.block] : []))
const notesOf = (events: readonly ExtractEvent[]) =>
  events.flatMap((event) => (event.event === 'note' ? [event.code] : []))

const three = [{ lines: ['The first page.'] }, { lines: ['The second page.'] }, { lines: ['The third page.'] }]

describe('a PDF with a text layer', () => {
  it('is read as paragraphs with their page, with progress after each page', async () => {
    const events = await read(
      writePdf({ pages: [{ lines: ['A line that goes on', 'to the next one.'] }, { lines: ['Page two.'] }] }),
    )
    const places = expect.any(String)
    expect(events).toEqual([
      {
        event: 'block',
        block: { seq: 0, kind: 'text', text: 'A line that goes on to the next one.', at: { page: 1 }, places },
      },
      { event: 'progress', page: 1, pages: 2 },
      { event: 'block', block: { seq: 1, kind: 'text', text: 'Page two.', at: { page: 2 }, places } },
      { event: 'progress', page: 2, pages: 2 },
    ])
  })

  it('is noted if fonts do not map their characters to text', async () => {
    const known = Array.from({ length: 8 }, (_, line) => ({
      text: 'These words have a font that says what its letters are.',
      x: 72,
      y: 700 - line * 16,
      bold: true,
    }))
    const lines = [...known, { text: 'Nobody knows what these are', x: 72, y: 500 }]
    const events = await read(writePdf({ pages: [{ lines }], unmapped: true }))
    expect(notesOf(events)).toEqual(['text_unmapped'])
    expect(blocksOf(events)[0]?.text).toContain('These words have a font')
  })

  it('has its title and author as properties', async () => {
    const [first] = await read(writePdf({ pages: three, title: 'Annual (report)', author: 'A. Writer' }))
    expect(first).toEqual({ event: 'properties', properties: { title: 'Annual (report)', author: 'A. Writer' } })
  })

  it('has the headings of its outline before the text of their page', async () => {
    const outline = [
      { title: 'One', page: 1 },
      { title: 'One and a half', page: 1, level: 2 },
      { title: 'Three', page: 3 },
    ]
    const blocks = blocksOf(await read(writePdf({ pages: three, outline })))
    expect(blocks.map(({ kind, text, level, at }) => [kind, text, level, at.page, at.pageTitle])).toEqual([
      ['heading', 'One', 1, 1, 'One'],
      ['heading', 'One and a half', 2, 1, 'One'],
      ['text', 'The first page.', undefined, 1, 'One'],
      ['text', 'The second page.', undefined, 2, 'One and a half'],
      ['heading', 'Three', 1, 3, 'Three'],
      ['text', 'The third page.', undefined, 3, 'Three'],
    ])
  })

  it('has a heading once whose title the outline repeats without its number', async () => {
    const lines = [
      { text: '1 First steps', x: 72, y: 760 },
      { text: 'Open the gate.', x: 72, y: 720 },
    ]
    const outline = [{ title: 'First steps', page: 1 }]
    const blocks = blocksOf(await read(writePdf({ pages: [{ lines }], outline })))
    expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
      ['heading', '1 First steps'],
      ['text', 'Open the gate.'],
    ])
  })

  it('is read with the same result again, and from a page on with the requested numbers', async () => {
    const bytes = writePdf({ pages: three, outline: [{ title: 'One', page: 1 }] })
    const whole = await read(bytes)
    expect(await read(bytes)).toEqual(whole)
    const rest = await read(bytes, { ocr: false, from: { seq: 2, page: 2 } })
    expect(blocksOf(rest)).toEqual(blocksOf(whole).slice(2))
    expect(rest).toContainEqual({ event: 'progress', page: 2, pages: 3 })
    expect(rest).not.toContainEqual({ event: 'progress', page: 1, pages: 3 })
    expect(blocksOf(await read(bytes, { ocr: false, from: { seq: 3 } }))).toEqual(blocksOf(whole).slice(3))
  })

  it('notes pages without text when there is no OCR', async () => {
    const events = await read(writePdf({ pages: [{ lines: ['Text.'] }, { lines: [] }] }))
    expect(notesOf(events)).toEqual(['page_without_text'])
    expect(blocksOf(events)).toHaveLength(1)
  })

  it('reads columns in the order of the file', async () => {
    const lines = (x: number, texts: readonly string[]) =>
      texts.map((text, index) => ({ text, x, y: 700 - index * 13 }))
    const left = lines(72, ['Left column, line one, which', 'goes on and ends here.'])
    const right = lines(330, ['Right column begins only now', 'and ends as well.'])
    const [page] = [{ lines: [...left, ...right] }]
    expect(blocksOf(await read(writePdf({ pages: [page] }))).map(({ text }) => text)).toEqual([
      'Left column, line one, which goes on and ends here.',
      'Right column begins only now and ends as well.',
    ])
  })

  it('does not run its scripts', async () => {
    const script = "app.launchURL('http://127.0.0.1:9/'); globalThis.wasRun = true"
    const catalogue = `/OpenAction << /S /JavaScript /JS (${script.replace(/[()]/g, '\\$&')}) >> /AA << /WC << /S /JavaScript /JS (globalThis.wasRun = true) >> >>`
    const events = await read(writePdf({ pages: three, catalogue }))
    expect(blocksOf(events)).toHaveLength(3)
    expect('wasRun' in globalThis).toBe(false)
    expect(JSON.stringify(events)).not.toContain('wasRun')
  })
})

describe('a PDF without text, or with a damaged structure', () => {
  it('fails with no_text if all pages are empty', async () => {
    await expect(read(writePdf({ pages: [{ lines: [] }, { lines: [] }] }))).rejects.toMatchObject({ code: 'no_text' })
  })

  it('fails with empty_file if it has no bytes', async () => {
    await expect(read(Buffer.alloc(0))).rejects.toMatchObject({ code: 'empty_file' })
  })

  it('fails with encrypted if it needs a password, unless the empty one opens it', async () => {
    await expect(read(writeEncryptedPdf('Behind a password.', 'secret'))).rejects.toMatchObject({ code: 'encrypted' })
    const blocks = blocksOf(await read(writeEncryptedPdf('Behind a password.', '')))
    expect(blocks.map(({ text }) => text)).toEqual(['Behind a password.'])
  })

  it('fails with damaged if it is not a PDF', async () => {
    await expect(read(Buffer.from('MZ this is a program'))).rejects.toMatchObject({ code: 'damaged' })
    await expect(read(writePdf({ pages: three }).subarray(0, 40))).rejects.toMatchObject({ code: 'damaged' })
  })

  it('is read if its cross-reference table is elsewhere than declared, and fails with damaged if the file ends within the table', async () => {
    const whole = writePdf({ pages: three })
    const table = whole.lastIndexOf('xref\n0 ')
    const moved = Buffer.from(whole.toString('latin1').replace(/startxref\n\d+/, 'startxref\n77'), 'latin1')
    expect(blocksOf(await read(moved)).map(({ text }) => text)).toEqual([
      'The first page.',
      'The second page.',
      'The third page.',
    ])
    await expect(read(whole.subarray(0, table + 30))).rejects.toMatchObject({ code: 'damaged' })
  })

  it('is read if it declares no pages, but has one', async () => {
    for (const count of [0, -1]) {
      const objects = ['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Count ${count} /Kids [3 0 R] >>`]
      const page =
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>'
      const text = { dictionary: '', bytes: Buffer.from('BT /F1 11 Tf 1 0 0 1 60 700 Tm (Still here) Tj ET') }
      const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
      const blocks = blocksOf(await read(writeObjects([...objects, page, text, font])))
      expect(blocks.map((block) => block.text)).toEqual(['Still here'])
    }
  })

  it('fails with damaged if its page tree is circular', async () => {
    const circle = writeObjects([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 2 /Kids [3 0 R] >>',
      '<< /Type /Pages /Count 2 /Kids [2 0 R] /Parent 2 0 R >>',
    ])
    await expect(read(circle)).rejects.toMatchObject({ code: 'damaged' })
  })

  it('is read as far as it has pages if it declares a billion', async () => {
    const claims = writePdf({ pages: three }).toString('latin1').replace('/Count 3', '/Count 1000000000')
    expect(blocksOf(await read(Buffer.from(claims, 'latin1')))).toHaveLength(3)
  })

  it('stops after 500 pages in a row without text, with a note', { timeout: 120_000 }, async () => {
    const empty = (count: number) => Array.from({ length: count }, () => ({ lines: [] }))
    const pages = [...three.slice(0, 1), ...empty(400), ...three.slice(1, 2), ...empty(600), ...three.slice(2)]
    const events = await read(writePdf({ pages }))
    expect(blocksOf(events).map(({ text }) => text)).toEqual(['The first page.', 'The second page.'])
    expect(events.findLast(({ event }) => event === 'progress')).toMatchObject({ page: 902 })
    expect(events).toContainEqual({
      event: 'note',
      code: 'truncated',
      message: 'Pages from 903 on were not read: 500 pages in a row have no text of their own.',
      at: { page: 902 },
    })
    expect(notesOf(events).length).toBeLessThanOrEqual(100)
  })

  it('notes a page of an impossible size without allocating memory for it', async () => {
    const pages = writePdf({ pages: three })
      .toString('latin1')
      .replace(/\[0 0 \d+ \d+\]/, '[0 0 2000000000 842]')
    const events = await read(Buffer.from(pages, 'latin1'))
    expect(notesOf(events)).toEqual(['page_unreadable'])
  })

  it('notes an unreadable page and continues with the next', async () => {
    const whole = writePdf({ pages: three }).toString('latin1')
    const second = [...whole.matchAll(/<< \/Type \/Page \/Parent[^\n]+/g)][1]?.[0] ?? ''
    expect(second).not.toBe('')
    const events = await read(Buffer.from(whole.replace(second, 'null'.padEnd(second.length)), 'latin1'))
    expect(notesOf(events)).toEqual(['page_unreadable'])
    expect(blocksOf(events).map(({ text }) => text)).toEqual(['The first page.', 'The third page.'])
  })

  it('rejects with ENOENT for a missing file, and with invalid for an unknown language', async () => {
    await expect(Array.fromAsync(extractPdf(temporaryFile('none.pdf'), {}))).rejects.toMatchObject({ code: 'ENOENT' })
    const missing = read(writePdf({ pages: three }), { languages: ['eng', 'xyz'] })
    await expect(missing).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining("'xyz' is not installed"),
    })
    await expect(read(writePdf({ pages: three }), { languages: ['../eng'] })).rejects.toThrow('is not installed')
  })
})

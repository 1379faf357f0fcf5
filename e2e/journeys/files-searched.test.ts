import type { Filter, Search } from '@cairn/client'
import { type FileType, fileTypes } from '@cairn/contracts/files/file-rules'
import { createMaterial } from '@cairn/testing/material/create-material'
import type { KnownSentence } from '@cairn/testing/material/material'
import { pdf, pdfObjects, pdfString, stream } from '@cairn/testing/material/pdf-writer'
import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { createNamespace, search, useTarget, walk } from '../story.ts'

const story = useTarget()

/** Time limit for reading a file: a child process is started for each file, and the machine may be busy. */
const readWithinMs = 60_000

/** Returns a PDF with one text on each page. */
const manyPages = (texts: readonly string[]): Buffer => {
  const { objects, add, put } = pdfObjects()
  add('<< /Type /Catalog /Pages 2 0 R >>')
  const pages = add()
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  const kids = texts.map((text) => {
    const lines = (text.match(/.{1,90}(?: |$)/g) ?? []).map((line) => `${pdfString(line)} Tj T*`)
    const body = add(stream(`BT /F1 10 Tf 12 TL 50 780 Td ${lines.join(' ')} ET`))
    return add(
      `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 595 842] /Contents ${body} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
    )
  })
  put(pages, `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`)
  return pdf(objects)
}

const scene = async () => {
  const { api } = await story.member()
  const { sdk } = api
  const namespace = await createNamespace(api)
  const status = (name: string) => sdk.files.status(namespace, name)
  const bring = (method: 'signed' | 'form') => (name: string, bytes: Uint8Array<ArrayBuffer>) =>
    sdk.files.upload(namespace, new Blob([bytes]), { name, method })
  const read = (name: string) => sdk.waitFor.file(namespace, name, { timeoutMs: readWithinMs })
  const find = async (query: string, more: Omit<Search, 'query' | 'namespaces'> = {}) =>
    (await search(api, [namespace], query, more)).results
  const count = async () => (await sdk.namespaces.get(namespace))?.item_count
  const pages = () => walk(api, namespace)
  return { sdk, namespace, status, put: bring('signed'), send: bring('form'), read, find, count, pages }
}

/** Normalizes line breaks and runs of blanks, which differ between file types. */
const plain = (text: string) => text.replace(/\s+/gu, ' ')

/** Returns the expected metadata of the chunk with the sentence. */
const placeOf = ({ page, sheet, path }: KnownSentence) => ({
  ...(page === undefined ? {} : { page: String(page) }),
  ...(sheet === undefined ? {} : { sheet }),
  ...(path === undefined ? {} : { path: expect.any(String) }),
})

const searchable = (sentences: readonly KnownSentence[]): KnownSentence => {
  const found =
    sentences.find(({ text, inTable }) => /^[A-Z][\w ,'-]{30,200}[.!?]$/.test(text) && !inTable) ?? sentences[0]
  if (!found) throw new Error('the file says nothing')
  return found
}

describe('what stands in a file', () => {
  it('is found by its page as a number and as a text: in search, in paging and in deletion', async () => {
    const { sdk, namespace, send, read, find } = await scene()
    const texts = Array.from(
      { length: 12 },
      (_, index) =>
        `Chapter ${index + 1} is about the cairns of valley ${index + 1}. ${'They mark the path where snow lies long. '.repeat(30)}`,
    )
    await send('guide.pdf', Uint8Array.from(manyPages(texts)))
    expect((await read('guide.pdf')).state).toBe('completed')
    const pagesOf = (items: readonly { readonly metadata?: unknown }[]) =>
      [...new Set(items.map(({ metadata }) => Number((metadata as { readonly page: string }).page)))].toSorted(
        (a, b) => a - b,
      )
    const byPage: readonly (readonly [Filter, readonly number[]])[] = [
      [{ key: 'page', eq: 2 }, [2]],
      [{ key: 'page', eq: '2' }, [2]],
      [{ key: 'page', in: [1, '11'] }, [1, 11]],
      [{ key: 'page', gte: 9, lt: 12 }, [9, 10, 11]],
      [{ and: [{ key: 'page', gt: 10 }, { not: { key: 'page', eq: 12 } }] }, [11]],
    ]
    for (const [filter, expected] of byPage) {
      const listed = await Array.fromAsync(sdk.documents.page(namespace, { filter, limit: 3 }))
      expect(pagesOf(listed), `list ${JSON.stringify(filter)}`).toEqual(expected)
      const hits = await find('cairns of the valley', { filter, top_k: 100 })
      expect(pagesOf(hits), `search ${JSON.stringify(filter)}`).toEqual(expected)
      for (const { metadata } of hits) expect(metadata).toMatchObject({ page: expect.any(String) })
    }
    // A deletion by filter matches no chunks, because they are deleted only with their file.
    await sdk.documents.upload(namespace, [{ id: 'note', text: 'A note on the second page.', page: '2' }], {
      wait: true,
    })
    for (const eq of [2, '2', 3]) {
      const filter = { key: 'page', eq }
      const counted = await sdk.documents.delete(namespace, { filter, dry_run: true })
      expect(counted).toMatchObject({ matched_items: eq === 3 ? 0 : 1 })
    }
  }, 120_000)

  it.each(fileTypes.flatMap((type) => [[type, 'an address of its own'] as const, [type, 'a form'] as const]))(
    'is found: %s, brought through %s',
    async (type: FileType, way) => {
      const { put, send, read, find, count, pages } = await scene()
      const { bytes, truth } = await createMaterial(type, 11, { encoding: 'utf-8' })
      const name = `the report.${type}`
      await (way === 'a form' ? send : put)(name, Uint8Array.from(bytes))
      const state = await read(name)
      expect(state).toMatchObject({ state: 'completed', reason: null })
      const sentence = searchable(truth.sentences)
      const hits = (await find(sentence.text)).filter(({ text }) => plain(text).includes(plain(sentence.text)))
      expect(hits.length).toBeGreaterThan(0)
      const chunk = hits.find(({ id }) => id.includes('_chunk_'))
      expect(chunk?.metadata).toMatchObject({ source: name, ...placeOf(sentence) })
      const { row } = sentence
      const { row_from = 0, row_to = 0 } = (chunk?.metadata ?? {}) as { row_from?: number; row_to?: number }
      if (row !== undefined) expect([row_from <= row, row <= row_to]).toEqual([true, true])
      const all = await pages()
      for (const { items, statistics } of all)
        expect(statistics.total_summary_chunks).toBe(items.filter(({ is_summary }) => is_summary).length)
      expect(all.flatMap(({ items }) => items)).toHaveLength(state.chunks + state.summaries)
      expect(await count()).toBe(state.chunks + state.summaries)
    },
    readWithinMs + 30_000,
  )

  it('is replaced as a whole, kept when the next one fails, and goes with its file', {
    timeout: 4 * readWithinMs,
  }, async () => {
    const { sdk, namespace, put, read, find, count, status } = await scene()
    const bytes = (text: string) => new TextEncoder().encode(text)
    await put('guide.md', bytes('# Water\n\nThe spring lies below the saddle, behind the larch.\n'))
    expect(await read('guide.md')).toMatchObject({ state: 'completed' })
    const before = await count()
    await put('guide.md', bytes('# Water\n\nThe well stands beside the chapel, under the elm.\n'))
    await expect
      .poll(async () => (await find('where is the well'))[0]?.text, { timeout: readWithinMs })
      .toContain('chapel')
    expect((await find('where is the spring')).filter(({ text }) => text.includes('larch'))).toEqual([])
    expect(await read('guide.md')).toMatchObject({ state: 'completed' })
    expect(await count()).toBe(before)
    // Bytes that are not text.
    await put('guide.md', Uint8Array.from([0x4d, 0x5a, 0x90, 0, 3, 0, 0, 0, 4, 0, 0, 0, 255, 255, 0, 0]))
    await expect.poll(async () => (await status('guide.md')).state, { timeout: readWithinMs }).toBe('failed')
    expect(await status('guide.md')).toMatchObject({ reason: 'content_mismatch', previous_version_searchable: true })
    expect((await find('where is the well'))[0]?.text).toContain('chapel')
    expect(await sdk.files.delete(namespace, ['guide.md'])).toMatchObject([{ status: 'deleted' }])
    expect(await find('where is the well')).toEqual([])
    expect(await count()).toBe(0)
  })

  it('is found once where its summary says the same, with its neighbors, and as one hit of many', {
    timeout: 4 * readWithinMs,
  }, async () => {
    const { send, read, find } = await scene()
    const encode = (text: string) => new TextEncoder().encode(text)
    await send('short.txt', encode('The spring lies behind the old larch tree.'))
    const days = Array.from({ length: 400 }, (_, day) => `On day ${day} the larch by the spring lost ${day} needles.`)
    await send('long.txt', encode(days.join('\n\n')))
    for (const name of ['short.txt', 'long.txt']) expect(await read(name)).toMatchObject({ state: 'completed' })

    const ids = (await find('where is the spring behind the old larch tree', { top_k: 100 })).map(({ id }) =>
      String(id),
    )
    expect(ids.filter((id) => id.startsWith('short.txt'))).toEqual(['short.txt_chunk_0'])
    const chunks = ids.filter((id) => id.startsWith('long.txt_chunk_')).length
    expect(chunks).toBeGreaterThan(3)

    const ask = (more: Omit<Search, 'query' | 'namespaces'>) => find('needles that the larch lost on day 200', more)
    const grouped = await ask({ group_by: 'file', top_k: 100 })
    expect(new Set(grouped.map(({ metadata }) => metadata['source']))).toEqual(new Set(['short.txt', 'long.txt']))
    expect(grouped).toHaveLength(2)
    const long = grouped.find(({ metadata }) => metadata['source'] === 'long.txt')
    expect(long?.others?.length).toBeGreaterThan(2)
    expect(long?.others?.map(({ id }) => id)).not.toContain(long?.id)

    const [middle] = (await ask({ context: 1, filter: { key: 'chunk_index', eq: 1 } })).filter(({ id }) =>
      String(id).startsWith('long.txt_chunk_'),
    )
    expect(middle?.context?.before.map(({ id }) => id)).toEqual(['long.txt_chunk_0'])
    expect(middle?.context?.after.map(({ id }) => id)).toEqual(['long.txt_chunk_2'])
    expect(middle?.context?.after[0]?.text).toMatch(/needles/)
    const [first] = await ask({ context: 5, filter: { key: 'chunk_index', eq: 0 } })
    expect(first?.context?.before).toEqual([])
    const [document] = await ask({ context: 1, filter: { key: 'source', eq: 'short.txt' } })
    expect(document?.context).toEqual({ before: [], after: [] })
    expect(Object.keys((await ask({}))[0] ?? {})).not.toContain('context')
  })

  it.each([
    ['pdf', manyPages],
    ['txt', (texts: readonly string[]) => Buffer.from(texts.join('\n\n'))],
    [
      'csv',
      (texts: readonly string[]) =>
        Buffer.from(`number,text\n${texts.map((text, index) => `${index},"${text}"`).join('\n')}`),
    ],
  ])('is embedded again only where it changed: %s', { timeout: 8 * readWithinMs }, async (type, write) => {
    const { send, read } = await scene()
    const random = seededRandom(7)
    const sentence = (page: number, number: number) =>
      `On page ${page} sentence ${number} speaks of ${Array.from({ length: 4 + random.below(9) }, () => random.below(1_000)).join(' and ')}.`
    const pages = Array.from({ length: 500 }, (_, page) =>
      Array.from({ length: 12 }, (_, number) => sentence(page, number)).join(' '),
    )
    const name = `book.${type}`
    await send(name, new Uint8Array(write(pages)))
    const { passages: first } = await read(name)
    expect(first).toMatchObject({ reused: 0 })
    const changed = pages.with(250, `${pages[250]} This sentence is new, and makes the page longer than it was.`)
    await send(name, new Uint8Array(write(changed)))
    await expect
      .poll(async () => (await read(name)).passages?.reused, { timeout: readWithinMs, interval: 200 })
      .toBeGreaterThan(0)
    const { passages: again } = await read(name)
    const all = (again?.embedded ?? 0) + (again?.reused ?? 0)
    expect((again?.embedded ?? all) / all).toBeLessThan(0.02)
  })

  it('is refused with a reason and a remedy', { timeout: 4 * readWithinMs }, async () => {
    const { put, read, find } = await scene()
    const cases = [
      ['empty.txt', new Uint8Array(0), 'empty_file'],
      ['blank.txt', new TextEncoder().encode(' \n \n'), 'no_text'],
      ['program.pdf', new TextEncoder().encode('#!/bin/sh\necho no pdf\n'), 'content_mismatch'],
      ['broken.json', new TextEncoder().encode('{"a": [1, 2'), 'damaged'],
    ] as const
    for (const [name, bytes] of cases) await put(name, bytes)
    for (const [name, , reason] of cases) {
      const state = await read(name)
      expect({ name, ...state }).toMatchObject({ name, state: 'failed', reason })
      expect(state.remedy).toMatch(/\w/)
    }
    expect(await find('echo no pdf')).toEqual([])
  })
})

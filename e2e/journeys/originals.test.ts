import { createHash } from 'node:crypto'
import type { Filter, Search } from '@cairn/client'
import { describe, expect, it } from 'vitest'
import { createNamespace, search, useTarget } from '../story.ts'

const story = useTarget()

const readWithinMs = 60_000
/** Milliseconds of a test: files are read in child processes, and the machine may be busy. */
const patienceMs = 120_000

const scene = async () => {
  const { api } = await story.member()
  const namespace = await createNamespace(api)
  const { files, waitFor } = api.sdk
  const settled = (name: string) => waitFor.file(namespace, name, { timeoutMs: readWithinMs })
  const bring = async (name: string, text: string, metadata?: Record<string, unknown>) => {
    await files.upload(namespace, new Blob([text]), { name, metadata })
    return settled(name)
  }
  const find = async (query: string, more: Omit<Search, 'query' | 'namespaces'> = {}) =>
    (await search(api, [namespace], query, more)).results
  return { api, files, namespace, settled, bring, find }
}

const page = (number: number) =>
  `# Part ${number}\n\nStation ${number} of the trail has a cairn. ${'Its stones mark the path in fog. '.repeat(40)}`
const guide = (parts: number) => Array.from({ length: parts }, (_, number) => page(number)).join('\n\n')

describe('the original of a file', { timeout: patienceMs }, () => {
  it('comes back whole, in ranges, and by a URL without a key', async () => {
    const { files, namespace, bring } = await scene()
    const name = 'Wege/Größe 日本 עברית.md'
    const text = guide(300)
    const { etag, published_etag } = await bring(name, text)
    expect(etag).toBe(published_etag)
    const whole = await files.content(namespace, name)
    expect(whole.headers.get('content-disposition')).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E6%97%A5")
    expect(
      createHash('sha256')
        .update(await whole.text())
        .digest('hex'),
    ).toBe(createHash('sha256').update(text).digest('hex'))
    const bytes = Buffer.from(text)
    for (const [from, to] of [
      [0, 0],
      [100_000, 200_000],
      [bytes.length - 5, bytes.length + 5],
    ] as const) {
      const part = await files.content(namespace, name, { range: { from, to }, etag: etag ?? '' })
      expect(part.status).toBe(206)
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(from, to + 1))).toBe(true)
    }
    await expect(files.content(namespace, name, { range: { from: bytes.length } })).rejects.toMatchObject({
      status: 416,
    })
    await expect(files.content(namespace, name, { etag: 'other' })).rejects.toMatchObject({ code: 'conflict' })
    const { download_url } = await files.downloadUrl(namespace, name)
    expect(await (await fetch(download_url)).text()).toBe(text)
    await files.delete(namespace, [name])
    expect((await fetch(download_url)).status).toBe(404)
    await expect(files.content(namespace, name)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is that of the last upload; the etag of the searched one says when they differ', async () => {
    const { files, namespace, bring } = await scene()
    const first = await bring('a.md', guide(1))
    const { published_etag } = await bring('a.md', guide(2))
    expect(published_etag).not.toBe(first.published_etag)
    await expect(files.content(namespace, 'a.md', { etag: first.etag ?? '' })).rejects.toMatchObject({ status: 412 })
    const now = await files.content(namespace, 'a.md', { etag: published_etag ?? '' })
    expect(await now.text()).toBe(guide(2))
  })
})

describe('metadata of a file', { timeout: patienceMs }, () => {
  it('are found by filters, also after a change, for which nothing is embedded', async () => {
    const { files, namespace, settled, bring, find } = await scene()
    const { chunks } = await bring('a.md', guide(5), { team: 'alps', year: 2025 })
    expect(chunks).toBeGreaterThan(5)
    await bring('b.md', guide(2))
    const names = async (filter: Filter) => [
      ...new Set((await find('cairn station', { filter, top_k: 100 })).map(({ metadata }) => metadata['source'])),
    ]
    expect(await names({ key: 'team', eq: 'alps' })).toEqual(['a.md'])
    expect(await files.update(namespace, 'a.md', { metadata: { team: 'sea' } })).toMatchObject({
      metadata: { team: 'sea' },
      previous_version_searchable: true,
    })
    const changed = await settled('a.md')
    expect(changed).toMatchObject({ state: 'completed', chunks, passages: { embedded: 0 } })
    expect(changed.passages?.reused).toBeGreaterThanOrEqual(chunks)
    expect(await names({ key: 'team', eq: 'alps' })).toEqual([])
    expect(await names({ key: 'year', eq: 2025 })).toEqual([])
    expect(await names({ key: 'team', eq: 'sea' })).toEqual(['a.md'])
    const listed = []
    for await (const { file_name, metadata, state } of files.page(namespace)) listed.push([file_name, state, metadata])
    expect(listed).toEqual([
      ['a.md', 'completed', { team: 'sea' }],
      ['b.md', 'completed', {}],
    ])
  })

  it('change for all chunks at once, whoever searches meanwhile', async () => {
    const { files, namespace, settled, bring, find } = await scene()
    const names = ['a.md', 'b.md', 'c.md']
    const sizes = new Map<unknown, number>()
    for (const name of names) {
      const { chunks, summaries } = await bring(name, guide(7), { edition: 0 })
      sizes.set(name, chunks + summaries)
    }
    let isOver = false
    let searches = 0
    const mixed: unknown[] = []
    const watch = async (withFilter: boolean) => {
      for (let edition = 0; !isOver; edition = (edition + 1) % 4) {
        const hits = await find('cairn station', {
          top_k: 100,
          ...(withFilter && { filter: { key: 'edition', eq: edition } }),
        })
        searches += 1
        const byFile = Map.groupBy(hits, ({ metadata }) => metadata['source'])
        for (const [name, some] of byFile) {
          const editions = new Set(some.map(({ metadata }) => metadata['edition']))
          if (editions.size > 1 || some.length !== sizes.get(name)) mixed.push([name, [...editions], some.length])
        }
      }
    }
    const watching = [watch(false), watch(true)]
    for (let edition = 1; edition <= 4; edition += 1) {
      await Promise.all(names.map((name) => files.update(namespace, name, { metadata: { edition: edition % 4 } })))
      await Promise.all(names.map(settled))
    }
    isOver = true
    await Promise.all(watching)
    expect(mixed).toEqual([])
    expect(searches).toBeGreaterThan(4)
  })

  it('that are changed while the file is first read are those of its chunks', async () => {
    const { files, namespace, settled, find } = await scene()
    await files.upload(namespace, new Blob([guide(60)]), { name: 'a.md', metadata: { edition: 1 } })
    await files.update(namespace, 'a.md', { metadata: { edition: 2 } })
    expect(await settled('a.md')).toMatchObject({ state: 'completed', metadata: { edition: 2 } })
    const hits = await find('cairn station', { top_k: 100 })
    expect(new Set(hits.map(({ metadata }) => metadata['edition']))).toEqual(new Set([2]))
  })
})

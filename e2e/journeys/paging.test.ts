import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { index, settled, upload, useTarget, walk } from '../story.ts'

const story = useTarget()

const numbered = (count: number, prefix = 'd') =>
  Array.from({ length: count }, (_, turn) => ({
    id: `${prefix}${turn}`,
    text: `Document number ${turn} of many.`,
    source: `s${turn % 3}`,
  }))

/** Compares as stores do: by code point, not by UTF-16 unit. */
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

describe('paging', () => {
  it('shows every item once, in the order of the ids, with the statistics of each page', async () => {
    const { api, name } = await story.room()
    const documents = [
      ...numbered(70),
      { id: 'Ａ', text: 'An id in full width.' },
      { id: '𝔸', text: 'An id beyond the basic plane.' },
    ]
    await index(api, name, documents)
    const pages = await walk(api, name, 25)
    expect(pages.map(({ items }) => items.length)).toEqual([25, 25, 22])
    const ids = pages.flatMap(({ items }) => items.map(({ id }) => id))
    expect(ids).toEqual(documents.map(({ id }) => id).toSorted(byCodePoint))
    for (const [turn, page] of pages.entries()) {
      expect(page).toMatchObject({ namespace: name, pagination: { limit: 25, has_more: turn < 2 } })
      const { statistics, items } = page
      expect(statistics).toMatchObject({
        total_items: items.length,
        total_text_chunks: items.length,
        total_summary_chunks: 0,
      })
      const sources = Object.values(statistics.source_counts).reduce((sum, count) => sum + count, 0)
      expect(sources).toBe(items.length)
      const times = items.map(({ created_at: at }) => at ?? '').toSorted()
      expect([statistics.created_at_min, statistics.created_at_max]).toEqual([times[0], times.at(-1)])
    }
    expect(pages.at(-1)?.pagination.next_token).toBeNull()
    const counts = pages.map(({ statistics }) => statistics.source_counts['api'] ?? 0)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2)
  })

  it('ends exactly at a full page, and an empty namespace is one empty page', async () => {
    const { api, name } = await story.room()
    expect(await walk(api, name)).toMatchObject([
      {
        items: [],
        statistics: { total_items: 0, created_at_min: null, created_at_max: null, source_counts: {} },
        pagination: { limit: 100, has_more: false, next_token: null },
      },
    ])
    await upload(api, name, numbered(100))
    const pages = await walk(api, name)
    expect(pages.map(({ items }) => items.length)).toEqual([100])
  })

  it('misses nothing that is there throughout while others come and go, and repeats nothing', async () => {
    const { api, name } = await story.room()
    await upload(api, name, numbered(60, 'kept-'))
    await upload(api, name, numbered(40, 'gone-'))
    const seen: string[] = []
    let turn = 0
    for await (const { items } of api.sdk.documents.pages(name, { limit: 7 })) {
      seen.push(...items.map(({ id }) => id))
      const gone = await api.sdk.documents.delete(name, [`gone-${turn}`, `gone-${39 - turn}`])
      expect(gone).toMatchObject({ status: 'success' })
      await upload(api, name, [{ id: `came-${turn}`, text: 'Came while somebody was paging.' }])
      turn += 1
      expect(turn).toBeLessThan(60)
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.filter((id) => id.startsWith('kept-'))).toHaveLength(60)
  })

  it('shows by its version whether an item was written again, with fields=head without the texts', async () => {
    const { api, name } = await story.room()
    const heads = async () => {
      const pages = await Array.fromAsync(api.sdk.documents.pages(name, { fields: 'head', limit: 25 }))
      for (const { statistics } of pages) expect(statistics).not.toHaveProperty('source_counts')
      return pages.flatMap(({ items }) => items)
    }
    await index(api, name, numbered(60))
    const before = await heads()
    const shown = (await walk(api, name)).flatMap(({ items }) => items)
    expect(before).toEqual(shown.map(({ text: _, metadata: __, ...head }) => head))
    expect(await heads()).toEqual(before)
    // The new texts and their versions are returned at once; indexing changes neither.
    const again = numbered(3).map(({ id }) => ({ id, text: `Written again: ${id}` }))
    const { upload_id: uploadId } = await upload(api, name, again)
    const during = (await walk(api, name)).flatMap(({ items }) => items)
    const changed = during.filter(({ version }, turn) => version !== before[turn]?.version)
    expect(changed.map(({ id, text }) => ({ id, text }))).toEqual(again)
    await settled(api, name, uploadId)
    expect(await heads()).toEqual(during.map(({ text: _, metadata: __, ...head }) => head))
    expect(during.map(({ created_at: at }) => at)).toEqual(before.map(({ created_at: at }) => at))
  })

  it('is for text namespaces', async () => {
    const { api, name } = await story.room({ type: 'vector', vector_dimension: 3 })
    const refused = await api.call(operations.fetchTextData, { params: { namespace_name: name } }, 400)
    expect(refused.body.message).toMatch(/bad request.*not text-based/i)
  })
})

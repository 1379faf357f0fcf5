import { expect, it } from 'vitest'
import { createScene, documents, mint, times, wallAt } from '../protocol/scene.fixture.ts'
import { behaviour, type Group } from '../protocol/store.fixture.ts'

/** Ids in code point order; UTF-16 order would put the last two before `ﬀ`. */
const awkwardIds = [
  ' ',
  '"',
  '#',
  '$x',
  '%',
  '%2e',
  "'; DROP TABLE items; --",
  '*',
  '.',
  '..',
  '/',
  '0',
  '00',
  '1',
  '10',
  '1e21',
  '2',
  ':',
  'A',
  '\\',
  '__proto__',
  '_id',
  'a',
  'a ',
  'a.b',
  'a/b',
  'constructor',
  'e\u0301',
  'hasOwnProperty',
  'length',
  'null',
  'toString',
  'undefined',
  'é',
  'ﬀ',
  '\u{ffff}',
  '\u{10000}',
  '🦊',
].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

export const itemsContract = (group: Group) =>
  behaviour('items', group, (engine) => {
    it('gives items in the order asked for and leaves absent ones out', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const { id: version } = await scene.accepted(['a', 'b', 'c'])
      const items = await store.items.get(scene.namespaceId, ['c', 'nobody', 'a'])
      expect(items.map(({ id }) => id)).toEqual(['c', 'a'])
      expect(items[1]).toEqual({
        namespaceId: scene.namespaceId,
        id: 'a',
        kind: 'document',
        body: { text: 'text of a', metadata: '{}' },
        version,
        status: 'processing',
        reason: null,
        insertedBy: version,
        indexed: null,
        stale: [],
        createdAt: wallAt,
        updatedAt: wallAt,
      })
      expect(await store.items.latestStates(scene.namespaceId, ['nobody', 'b'])).toEqual([
        { id: 'b', version, status: 'processing', reason: null, stale: [], indexedVersion: null },
      ])
      expect(await store.items.get(scene.namespaceId, [])).toEqual([])
      expect(await store.items.get('nowhere', ['a'])).toEqual([])
    })

    it('returns the indexed content of items of several namespaces, without vectors', async () => {
      const { store } = engine
      const [texts, vectors] = [await createScene(store), await createScene(store, 'vector')]
      const former = await texts.indexed(['a', 'gone'])
      await texts.accepted(documents(['a'], 'new text'))
      await store.deleteItems(texts.deleteInput(['gone']))
      await texts.accepted(['b'])
      const body = { text: 'v', metadata: '{"n":1}', vector: Float32Array.of(1, 0, 0, 0) }
      const version = await vectors.indexed([{ id: 'a', body }])
      const address = ({ namespaceId }: { readonly namespaceId: string }, itemId: string) => ({ namespaceId, itemId })
      expect(
        await store.items.searchable([
          address(vectors, 'a'),
          address(texts, 'gone'),
          address(texts, 'b'),
          address(texts, 'a'),
          address(vectors, 'b'),
        ]),
      ).toEqual([
        {
          namespaceId: vectors.namespaceId,
          id: 'a',
          indexedVersion: version,
          body: { text: 'v', metadata: '{"n":1}' },
        },
        { namespaceId: texts.namespaceId, id: 'b', indexedVersion: null, body: { text: 'text of b', metadata: '{}' } },
        {
          namespaceId: texts.namespaceId,
          id: 'a',
          indexedVersion: former,
          body: { text: 'text of a', metadata: '{}' },
        },
      ])
      expect(await store.items.searchable([])).toEqual([])
    })

    it('keeps namespaces apart', async () => {
      const { store } = engine
      const [mine, other] = [await createScene(store), await createScene(store)]
      await mine.accepted([{ id: 'a', body: { text: 'mine', metadata: '{}' } }])
      await other.accepted([{ id: 'a', body: { text: 'other', metadata: '{}' } }])
      expect(await mine.item('a')).toMatchObject({ body: { text: 'mine' } })
      expect(await other.item('a')).toMatchObject({ body: { text: 'other' } })
      expect(await store.items.count(mine.namespaceId)).toBe(1)
      await store.items.markIndexed(mine.namespaceId, (await other.item('a'))?.version ?? '', [
        { id: 'a', passages: 1 },
      ])
      expect(await mine.item('a')).toMatchObject({ status: 'processing', indexed: null })
    })

    it('walks ids of every kind in code point order, each once, whatever the page size', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(awkwardIds.toReversed())
      expect(await store.items.count(scene.namespaceId)).toBe(awkwardIds.length)
      for (const limit of [1, 7, 100]) {
        const seen: string[] = []
        for (;;) {
          const last = seen.at(-1)
          const page = await store.items.page(
            scene.namespaceId,
            last === undefined ? { limit } : { after: last, limit },
          )
          seen.push(...page.map(({ id }) => id))
          if (page.length < limit) break
        }
        expect(seen).toEqual(awkwardIds)
      }
      expect((await store.items.get(scene.namespaceId, awkwardIds)).map(({ id }) => id)).toEqual(awkwardIds)
    })

    it('tells of the same pages without bodies', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const version = await scene.indexed(awkwardIds)
      const { id: next } = await scene.accepted(['a', 'new'])
      const { items } = store
      for (const page of [{ limit: 100 }, { limit: 7 }, { after: 'a', limit: 3 }]) {
        const whole = await items.page(scene.namespaceId, page)
        const lines = await items.pageWithoutBodies(scene.namespaceId, page)
        expect(lines).toEqual(whole.map(({ id, version, createdAt }) => ({ id, version, createdAt })))
      }
      const versions = new Map(
        (await items.pageWithoutBodies(scene.namespaceId, { limit: 100 })).map((one) => [one.id, one.version]),
      )
      // Versions of the latest bodies, not of the bodies that searches still return.
      expect([versions.get('a'), versions.get('a '), versions.get('new')]).toEqual([next, version, next])
      expect(await items.pageWithoutBodies('nowhere', { limit: 5 })).toEqual([])
    })

    it('goes on after an id that is gone meanwhile', async () => {
      const { store } = engine
      const scene = await createScene(store)
      await scene.accepted(['a', 'b', 'c'])
      await store.deleteItems(scene.deleteInput(['b']))
      expect((await store.items.page(scene.namespaceId, { after: 'b', limit: 5 })).map(({ id }) => id)).toEqual(['c'])
    })

    it('acts on ids of every kind', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const version = await scene.indexed(awkwardIds)
      const next = await scene.accepted(awkwardIds)
      const failures = awkwardIds.map((id) => ({ id, reason: 'internal' }))
      await store.items.markFailed(scene.namespaceId, next.id, failures)
      const heads = await store.items.latestStates(scene.namespaceId, awkwardIds)
      expect(heads).toEqual(
        awkwardIds.map((id) => ({
          id,
          version: next.id,
          status: 'failed',
          reason: 'internal',
          stale: [],
          indexedVersion: version,
        })),
      )
      const deleted = await store.deleteItems(scene.deleteInput(awkwardIds))
      expect(deleted).toMatchObject({ outcome: 'deleted', remaining: 0 })
      expect(await store.items.count(scene.namespaceId)).toBe(0)
    })

    it('keeps texts and metadata byte for byte', async () => {
      const scene = await createScene(engine.store)
      const bodies = [
        {
          text: 'é e\u0301 ﬁ ﬁ \u{1f98a} \u200d\ufeff \u2028\u2029\u0085\t\r\n "quoted" \\u0000 %s $1 \u0001',
          metadata: '{}',
        },
        {
          text: ' ',
          metadata: JSON.stringify({ nul: 'a\u0000b', 'key\u0000': 1, lone: '\ud800', 'lone\udfff': '\udc00\ud800' }),
        },
        {
          text: 'x',
          metadata: '{"__proto__":{"polluted":true},"constructor":null,"a.b":{"$set":[1]},"$inc":{"x":1},"":""}',
        },
        { text: 'x', metadata: '{ "spaces" :  1.0, "big": 12345678901234567890, "e": 1e400, "same": 1, "same": 2 }' },
      ]
      await scene.accepted(bodies.map((body, index) => ({ id: `b${index}`, body })))
      for (const [index, body] of bodies.entries()) expect((await scene.item(`b${index}`))?.body).toEqual(body)
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    })

    it('keeps texts of 50,000 characters, latest and indexed', async () => {
      const scene = await createScene(engine.store)
      const long = (seed: string) => seed.repeat(50_000 / [...seed].length)
      const texts = [long('Lorem ipsu'), long('🦊é\u0001"\\')]
      for (const text of texts) await scene.indexed([{ id: 'long', body: { text, metadata: '{}' } }])
      await scene.accepted([{ id: 'long', body: { text: 'short', metadata: '{}' } }])
      const item = await scene.item('long')
      expect(item?.body.text).toBe('short')
      expect(item?.indexed?.body?.text === texts[1]).toBe(true)
    })

    it('gives a page of long texts whole', async () => {
      const { store } = engine
      const scene = await createScene(store)
      const given = times(60, (index) => ({
        id: `i${String(index).padStart(3, '0')}`,
        body: { text: `${index} `.padEnd(50_000, 'x'), metadata: '{}' },
      }))
      await scene.accepted(given)
      const page = await store.items.page(scene.namespaceId, { limit: 100 })
      expect(page.map(({ id, body }) => ({ id, body }))).toEqual(given)
      expect((await store.items.page(scene.namespaceId, { limit: 45 })).map(({ id }) => id)).toEqual(
        given.slice(0, 45).map(({ id }) => id),
      )
      const got = await store.items.get(scene.namespaceId, given.map(({ id }) => id).toReversed())
      expect(got.map(({ body }) => body)).toEqual(given.map(({ body }) => body).toReversed())
    })

    it('keeps vectors as float32, bit for bit, latest and indexed', async () => {
      const scene = await createScene(engine.store, 'vector')
      const wide = Float32Array.from([9, 0.1, -0, 1e-45, -3.4028234663852886e38, 1 / 3, 9])
      // A view into a larger buffer: only the numbers in the view are kept.
      const vector = wide.subarray(1, 6)
      const version = await scene.indexed([{ id: 'v', body: { text: '', metadata: '{"a":1}', vector } }])
      const kept = await scene.item('v')
      expect(kept).toMatchObject({ kind: 'vector', body: { text: '', metadata: '{"a":1}' } })
      expect(kept?.body.vector).toBeInstanceOf(Float32Array)
      expect([...(kept?.body.vector ?? [])].map((value) => (Object.is(value, -0) ? '-0' : value))).toEqual(
        [...vector].map((value) => (Object.is(value, -0) ? '-0' : value)),
      )
      await scene.accepted([{ id: 'v', body: { text: '', metadata: '{}', vector: Float32Array.of(1) } }])
      const twice = await scene.item('v')
      expect(twice?.body.vector).toEqual(Float32Array.of(1))
      expect(twice?.indexed).toEqual({
        version,
        passages: 1,
        body: { text: '', metadata: '{"a":1}', vector: Float32Array.from(vector) },
      })
      expect((await engine.store.items.page(scene.namespaceId, { limit: 1 }))[0]).toEqual(twice)
    })

    it('gives and takes objects that are not shared', async () => {
      const { store } = engine
      const scene = await createScene(store, 'vector')
      const given = { id: 'v', body: { text: 'kept', metadata: '{}', vector: Float32Array.of(1, 2) } }
      await scene.indexed([given])
      given.body.text = 'changed'
      given.body.vector[0] = 9
      const read = (await scene.item('v')) as unknown as {
        body: { text: string; vector: Float32Array }
        stale: string[]
        indexed: { version: string }
      }
      expect(read.body).toEqual({ text: 'kept', metadata: '{}', vector: Float32Array.of(1, 2) })
      read.body.vector[1] = 9
      read.body.text = 'changed'
      read.stale.push('mine')
      read.indexed.version = 'mine'
      const again = await scene.item('v')
      expect(again).toMatchObject({ body: { text: 'kept' }, stale: [] })
      expect(again?.body.vector).toEqual(Float32Array.of(1, 2))
      expect(again?.indexed?.version).not.toBe('mine')
    })

    it('removes the items of a namespace in slices, and of no other', async () => {
      const { store } = engine
      const [scene, other] = [await createScene(store), await createScene(store)]
      await scene.accepted(times(7, (index) => `i${index}`))
      await other.accepted(['i0'])
      await store.beginNamespaceDeletion(scene.namespaceId, mint('del'), wallAt)
      expect(await store.items.removeOfNamespace(scene.namespaceId, 3)).toBe(3)
      expect(await store.items.count(scene.namespaceId)).toBe(4)
      expect(await store.items.removeOfNamespace(scene.namespaceId, 100)).toBe(4)
      expect(await store.items.removeOfNamespace(scene.namespaceId, 100)).toBe(0)
      expect(await store.items.count(other.namespaceId)).toBe(1)
    })

    it('takes ids that differ in case, spaces or composition as different', async () => {
      const scene = await createScene(engine.store)
      await scene.accepted(documents(['a', 'A', 'a ', ' a', 'é', 'e\u0301'], 'own'))
      for (const id of ['a', 'A', 'a ', ' a', 'é', 'e\u0301'])
        expect(await scene.item(id)).toMatchObject({ id, body: { text: `own of ${id}` } })
    })
  })

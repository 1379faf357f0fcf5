import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { EmbeddingSpace, Point, PointAddress, VectorIndex } from '@cairn/domain/ports/vector-index'
import { describeWithEngine } from '@cairn/testing/engines'
import { eventually } from '@cairn/testing/eventually'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { vectorIndexContract } from './port.contract.ts'
import { connectQdrant } from './qdrant/client.ts'
import { qdrantMigrations } from './qdrant/migrations.ts'
import { prefixBase } from './qdrant/order.ts'
import { quantizeCollections } from './qdrant/quantize-collections.ts'
import { type QdrantVectorIndexOptions, qdrantVectorIndex } from './qdrant.ts'

const space: EmbeddingSpace = { key: 'test-4', dimension: 4 }

const point = ({
  vector = [1, 0, 0, 0],
  ...given
}: Partial<Omit<Point, 'vector'>> & { readonly vector?: readonly number[] } = {}): Point => ({
  namespaceId: 'ns',
  itemId: 'item',
  version: 'v1',
  passage: 0,
  terms: [],
  words: [],
  ...given,
  vector: Float32Array.from(vector),
})
const numbered = (count: number, of: (i: number) => Parameters<typeof point>[0]) =>
  Array.from({ length: count }, (_, i) => point(of(i)))
const query = { namespaceIds: ['ns'], vector: Float32Array.of(1, 0, 0, 0), limit: 10 }

const listening = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Starts a proxy that can pause its connections (`standStill`) or break them (`cut`). */
const startProxy = async (target: URL) => {
  const sockets = new Set<Socket>()
  let isStill = false
  const hold = (socket: Socket) => void (isStill ? socket.pause() : socket.resume())
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    client.on('data', (data) => upstream.write(data)).on('close', () => upstream.end())
    upstream.on('data', (data) => client.write(data)).on('close', () => client.destroy())
    for (const socket of [client, upstream]) {
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)))
      hold(socket)
    }
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const port = await listening(server)
  onTestFinished(() => {
    cut()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    standStill: (still: boolean) => {
      isStill = still
      for (const socket of sockets) hold(socket)
    },
  }
}

describeWithEngine('qdrant', (qdrant) => {
  const url = qdrant('CAIRN_QDRANT_URL')
  const apiKey = qdrant('CAIRN_QDRANT_API_KEY')
  const runPrefix = `test-${randomBytes(6).toString('hex')}-`
  let prefixes = 0
  const newPrefix = () => `${runPrefix}${++prefixes}-`

  /** Sends a request to Qdrant without the adapter. */
  const rest = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json', ...(apiKey ? { 'api-key': apiKey } : {}) }
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await response.json()) as {
      readonly result: Record<string, unknown> & { readonly collections?: { readonly name: string }[] }
    }
  }
  const openIndex = (options: Partial<QdrantVectorIndexOptions> = {}): VectorIndex => {
    const index = qdrantVectorIndex({ url, apiKey, prefix: newPrefix(), ...options })
    onTestFinished(() => index.close())
    return index
  }
  const indexesOf = async (prefix: string) => {
    const { payload_schema: schema } = (await rest('GET', `/collections/${prefix}${space.key}`)).result
    return Object.fromEntries(
      Object.entries(schema as Record<string, { readonly data_type: string }>).map(([field, { data_type }]) => [
        field,
        data_type,
      ]),
    )
  }
  const allIndexes = {
    namespace_id: 'keyword',
    item_id: 'keyword',
    item_version: 'keyword',
    terms: 'keyword',
    words: 'keyword',
    order: 'integer',
    lexemes: 'integer',
    'fields[].k': 'keyword',
    'fields[].t': 'keyword',
    'fields[].n': 'float',
    'fields[].d': 'float',
  }

  afterAll(async () => {
    const { collections = [] } = (await rest('GET', '/collections')).result
    const own = collections.filter(({ name }) => name.startsWith(runPrefix))
    for (const { name } of own) await rest('DELETE', `/collections/${name}`)
  })

  vectorIndexContract({
    open: (statisticsMs) => qdrantVectorIndex({ url, apiKey, prefix: newPrefix(), statisticsMs }),
    lacks: {},
  })

  describe('collections', () => {
    it('are created once by several processes that write at the same time', async () => {
      const prefix = newPrefix()
      const processes = await Promise.all(
        ['a', 'b', 'c'].map(async (name) => {
          const child = spawn(
            process.execPath,
            ['--input-type=module-typescript', '--eval', writeOnce, url, apiKey, prefix, name],
            {
              stdio: ['ignore', 'ignore', 'inherit'],
            },
          )
          return (await once(child, 'exit'))[0] as number
        }),
      )
      expect(processes).toEqual([0, 0, 0])
      expect(await indexesOf(prefix)).toEqual(allIndexes)
      expect(await openIndex({ prefix }).count(space, 'ns')).toBe(3)
    })

    it('are completed by the next process if one is incomplete', async () => {
      const prefix = newPrefix()
      await rest('PUT', `/collections/${prefix}${space.key}`, { vectors: { size: 4, distance: 'Cosine' } })
      expect(await openIndex({ prefix }).list(space, { namespaceIds: ['ns'], limit: 10 })).toEqual([])
      expect(await indexesOf(prefix)).toEqual(allIndexes)
    })

    it('get missing indexes only by a migration once they have points', async () => {
      const prefix = newPrefix()
      await rest('PUT', `/collections/${prefix}${space.key}`, { vectors: { size: 4, distance: 'Cosine' } })
      await rest('PUT', `/collections/${prefix}${space.key}/points?wait=true`, {
        points: [{ id: 1, vector: [1, 0, 0, 0], payload: {} }],
      })
      const index = openIndex({ prefix })
      await index.ensure(space)
      expect(await index.count(space, 'ns')).toBe(0)
      expect(await indexesOf(prefix)).not.toEqual(allIndexes)
      const installation = { qdrant: connectQdrant({ url, apiKey, timeoutMs: 5_000 }), prefix }
      for (const turn of ['first', 'second']) {
        const lines: string[] = []
        for (const { apply } of qdrantMigrations) await apply(installation, (line) => void lines.push(line))
        expect(await indexesOf(prefix)).toEqual(allIndexes)
        const made = Object.keys(allIndexes).length + ['sparse vector'].length
        expect(lines).toHaveLength(turn === 'first' ? made : 0)
      }
      const lexemes = { ids: Uint32Array.of(7), counts: Uint8Array.of(1) }
      await index.upsert(space, [{ ...point(), lexemes }])
      const { namespaceIds, limit } = query
      expect(await index.searchWords(space, { namespaceIds, limit, lexemes: lexemes.ids })).toHaveLength(1)
    })

    it("are rejected if they have another dimension or are not Cairn's", async () => {
      const prefix = newPrefix()
      await openIndex({ prefix }).upsert(space, [point()])
      const other: EmbeddingSpace = { key: space.key, dimension: 3 }
      const index = openIndex({ prefix })
      const vector = Float32Array.of(1, 0, 0)
      const calls = [
        index.ensure(other),
        index.upsert(other, [{ ...point(), vector }]),
        index.search(other, { ...query, vector }),
        index.list(other, query),
        index.count(other, 'ns'),
        index.removeNamespace(other, 'ns', 10),
        index.removeVersions(other, [{ namespaceId: 'ns', itemId: 'item', version: 'v1' }]),
      ]
      for (const call of await Promise.allSettled(calls)) {
        expect(call).toMatchObject({
          status: 'rejected',
          reason: { name: 'AppError', code: 'invalid', message: /dimension 4, not 3/ },
        })
      }
      expect(await index.count(space, 'ns')).toBe(1)
      await rest('PUT', `/collections/${prefix}foreign`, { vectors: { size: 4, distance: 'Dot' } })
      await expect(index.ensure({ key: 'foreign', dimension: 4 })).rejects.toMatchObject({ code: 'conflict' })
    })

    it('are empty after they were removed by others, and created again by the next write', async () => {
      const prefix = newPrefix()
      const index = openIndex({ prefix })
      await index.upsert(space, [point({ itemId: 'before' })])
      await rest('DELETE', `/collections/${prefix}${space.key}`)
      expect(await index.search(space, query)).toEqual([])
      await index.upsert(space, [point({ itemId: 'again' })])
      await rest('DELETE', `/collections/${prefix}${space.key}`)
      await index.upsert(space, [point({ itemId: 'after' })])
      expect((await index.search(space, query)).map(({ itemId }) => itemId)).toEqual(['after'])
      expect(await indexesOf(prefix)).toEqual(allIndexes)
    })

    it('of installations with different prefixes are separate', async () => {
      const [one, other] = [openIndex(), openIndex()]
      await one.upsert(space, [point()])
      expect(await other.search(space, query)).toEqual([])
      expect(await other.removeNamespace(space, 'ns', 10)).toBe(0)
      expect(await one.count(space, 'ns')).toBe(1)
    })
  })

  describe('quantization', () => {
    it('is set on the collections that exist, and taken back, and finds the same', async () => {
      const prefix = newPrefix()
      const index = openIndex({ prefix })
      await index.upsert(space, [point(), point({ itemId: 'other', vector: [0.9, 0.1, 0, 0] })])
      const found = await index.search(space, query)
      const configOf = async () =>
        (await rest('GET', `/collections/${prefix}${space.key}`)).result['config'] as Record<string, unknown>
      for (const quantization of ['int8', 'none'] as const) {
        const options = { url, apiKey, prefix, quantization, timeoutMs: 5_000 }
        expect(await quantizeCollections(options)).toEqual([`${prefix}${space.key}`])
        expect(await quantizeCollections(options)).toEqual([])
        expect(Boolean((await configOf())['quantization_config'])).toBe(quantization === 'int8')
        expect(await index.search(space, query)).toEqual(found)
      }
    })
  })

  describe('a search', () => {
    it('orders more equal scores than its first request returns', async () => {
      const points = numbered(2_000, (i) => ({ itemId: String((i * 7) % 2_000).padStart(4, '0') }))
      const index = openIndex()
      await index.upsert(space, [...points, point({ itemId: 'z', vector: [1, 1, 0, 0] })])
      const hits = await index.search(space, { ...query, limit: 5 })
      expect(hits.map(({ itemId }) => itemId)).toEqual(['0000', '0001', '0002', '0003', '0004'])
    })
  })

  describe('a listing', () => {
    const pagesOf = async (index: VectorIndex, limit: number) => {
      const listed: PointAddress[] = []
      for (let after: PointAddress | undefined; ; after = listed.at(-1)) {
        const page = await index.list(space, { namespaceIds: ['ns'], limit, ...(after ? { after } : {}) })
        listed.push(...page)
        if (page.length < limit) return listed.map(({ itemId, version, passage }) => `${itemId} ${version} ${passage}`)
      }
    }

    it('pages in order through ids that differ late, early or not at all', async () => {
      const long = 'https://docs.example.org/a/folder/of/many/files/'
      const ids = [
        ...Array.from({ length: 700 }, (_, i) => `${long}${String(i * 13).padStart(6, '0')}.md`),
        ...Array.from({ length: 300 }, (_, i) => `${((i * 7_919) % 100_000).toString(36)}-${i}`),
        long,
        long.slice(0, 8),
        long.slice(0, 7),
        'é'.repeat(256),
      ]
      const many = numbered(250, (passage) => ({
        itemId: `${long}many`,
        version: passage % 2 === 0 ? 'v1' : 'v2',
        passage,
      }))
      const points = [...ids.map((itemId) => point({ itemId })), ...many]
      const index = openIndex()
      await index.upsert(space, points)
      const byAddress = (a: Point, b: Point) =>
        Buffer.compare(Buffer.from(a.itemId), Buffer.from(b.itemId)) ||
        (a.version < b.version ? -1 : a.version > b.version ? 1 : a.passage - b.passage)
      const expected = [...points]
        .sort(byAddress)
        .map(({ itemId, version, passage }) => `${itemId} ${version} ${passage}`)
      for (const limit of [37, 200, 5_000]) expect(await pagesOf(index, limit)).toEqual(expected)
    })

    it('distinguishes ids whose prefixes have the same hash', async () => {
      const seen = new Map<number, string>()
      const [first, second] = (() => {
        for (let i = 0; ; i++) {
          const beginning = String(i).padStart(4, '0')
          const base = prefixBase('ns', Buffer.from(beginning))
          const twin = seen.get(base)
          if (twin !== undefined) return [twin, beginning]
          seen.set(base, beginning)
        }
      })()
      const points = [first, second].flatMap((beginning) =>
        numbered(150, (i) => ({ itemId: `${beginning}${String(i).padStart(4, '0')}` })),
      )
      const index = openIndex()
      await index.upsert(space, points)
      const expected = points.map(({ itemId }) => `${itemId} v1 0`).sort()
      for (const limit of [40, 1_000]) expect(await pagesOf(index, limit)).toEqual(expected)
    })
  })

  describe('a write', () => {
    it('that needs several requests is complete', async () => {
      const wide: EmbeddingSpace = { key: 'test-4096', dimension: 4_096 }
      const index = openIndex({ timeoutMs: 30_000 })
      const points = Array.from({ length: 120 }, (_, i) => ({
        ...point({ itemId: `${i}` }),
        vector: Float32Array.from({ length: 4_096 }, (_, j) => Math.sin(i * 4_096 + j)),
      }))
      await index.upsert(wide, points)
      expect(await index.count(wide, 'ns')).toBe(120)
    })
  })

  describe('the removal of a namespace', () => {
    it('removes all points in slices while others write, and none of theirs', async () => {
      const index = openIndex()
      await index.upsert(
        space,
        numbered(3_000, (i) => ({ itemId: `${i}` })),
      )
      let written = 0
      let goesOn = true
      const others = Promise.all(
        ['a', 'b'].map(async (namespaceId) => {
          for (let i = 0; goesOn && i < 500; i++, written++)
            await index.upsert(space, [point({ namespaceId, itemId: `${i}` })])
        }),
      )
      const slices: number[] = []
      do slices.push(await index.removeNamespace(space, 'ns', 700))
      while (slices.at(-1) !== 0)
      goesOn = false
      await others
      expect(slices).toEqual([700, 700, 700, 700, 200, 0])
      expect(await index.search(space, query)).toEqual([])
      expect((await index.count(space, 'a')) + (await index.count(space, 'b'))).toBe(written)
    })
  })

  describe('an engine in trouble', () => {
    it('is unavailable within the deadline while it hangs; a late write is applied once, however often it is repeated', async () => {
      const proxy = await startProxy(new URL(url))
      const prefix = newPrefix()
      await openIndex({ prefix }).upsert(space, [point()])
      const index = openIndex({ url: proxy.url, prefix, timeoutMs: 1_000 })
      const late = [point({ itemId: 'late' })]
      await eventually(
        () => index.count(space, 'ns').catch(() => 0),
        (count) => count === 1,
      )
      proxy.standStill(true)
      for (const call of [
        () => index.search(space, query),
        () => index.upsert(space, late),
        () => index.count(space, 'ns'),
      ]) {
        const began = performance.now()
        await expect(call()).rejects.toMatchObject({ name: 'AppError', code: 'unavailable', retryAfterSeconds: 1 })
        expect(performance.now() - began).toBeLessThan(3_000)
      }
      proxy.standStill(false)
      await eventually(
        () =>
          index.upsert(space, late).then(
            () => true,
            () => false,
          ),
        (isWritten) => isWritten,
      )
      expect((await index.search(space, query)).map(({ itemId }) => itemId)).toEqual(['item', 'late'])
    })

    it('is unavailable when its connections break, and recovers at once', async () => {
      const proxy = await startProxy(new URL(url))
      const index = openIndex({ url: proxy.url })
      await index.upsert(space, [point()])
      const calls = Promise.allSettled(Array.from({ length: 20 }, () => index.search(space, query)))
      proxy.cut()
      for (const call of await calls) {
        if (call.status === 'rejected') expect(call.reason).toMatchObject({ code: 'unavailable' })
        else expect(call.value).toHaveLength(1)
      }
      await expect.poll(() => index.count(space, 'ns').catch(() => 0)).toBe(1)
    })

    it('is unavailable for a wrong key, which no error contains, and serves the right one', async () => {
      const guard = createHttpServer(async (request, response) => {
        if (request.headers['api-key'] !== 'right') {
          response.writeHead(401, { 'content-type': 'text/plain' }).end('Invalid API key or JWT')
          return
        }
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk)
        const headers = { 'content-type': 'application/json', ...(apiKey ? { 'api-key': apiKey } : {}) }
        const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
        const answer = await fetch(`${url}${request.url}`, { method: request.method ?? 'GET', headers, ...body })
        response
          .writeHead(answer.status, { 'content-type': 'application/json' })
          .end(Buffer.from(await answer.arrayBuffer()))
      })
      const port = await listening(guard)
      onTestFinished(() => {
        guard.closeAllConnections()
        guard.close()
      })
      const guarded = `http://127.0.0.1:${port}`
      const wrong = openIndex({ url: guarded, apiKey: 'canary-key' })
      for (const call of [
        () => wrong.ensure(space),
        () => wrong.upsert(space, [point()]),
        () => wrong.search(space, query),
      ]) {
        const error = await call().catch((reason: unknown) => reason)
        expect(error).toMatchObject({
          name: 'AppError',
          code: 'unavailable',
          message: expect.stringContaining('check the API key'),
        })
        expect(String(error)).not.toContain('canary-key')
      }
      const right = openIndex({ url: guarded, apiKey: 'right' })
      await right.upsert(space, [point()])
      expect(await right.search(space, query)).toHaveLength(1)
    })
  })
})

/**
 * Program that creates the collection and writes one point. If it left a connection open, its process would not end.
 */
const writeOnce = `
  import { qdrantVectorIndex } from ${JSON.stringify(new URL('./qdrant.ts', import.meta.url).href)}
  const [url, apiKey, prefix, itemId] = process.argv.slice(1)
  const index = qdrantVectorIndex({ url, apiKey, prefix })
  const vector = Float32Array.of(1, 0, 0, 0)
  await index.upsert(${JSON.stringify(space)}, [{ namespaceId: 'ns', itemId, version: 'v1', passage: 0, terms: [], words: [], vector }])
`

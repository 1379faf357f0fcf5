import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cairn } from './run.fixture.ts'

type Seen = { readonly method: string; readonly path: string; readonly key: string | undefined; readonly body: unknown }
type Reply = {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const serve = async (answer: (seen: Seen) => Reply) => {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).map(String).join('')
    const { method = '', url: path = '', headers } = request
    const one = {
      method,
      path,
      key: headers['x-api-key']?.toString(),
      body: text === '' ? undefined : JSON.parse(text),
    }
    seen.push(one)
    const { status, body, headers: replied } = answer(one)
    response.writeHead(status, replied).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

/** Starts a stand-in for an edge store that serves the endpoints which the command uses. */
const startEdge = (key?: string, filledBy: string | null = null) => {
  type Item = { readonly id: string; readonly text: string; readonly vector: readonly number[] }
  const items = new Map<string, Item>()
  let model = filledBy
  const shape = () => ({
    dimension: [...items.values()][0]?.vector.length ?? null,
    store_mode: model === null ? null : 'text',
    embedding_model: model,
  })
  return serve(({ method, path, key: sent, body }) => {
    if (path !== '/health' && sent !== key)
      return { status: 401, body: { status: 'failure', message: 'The key is wrong' } }
    const given = body as {
      readonly items: readonly Item[]
      readonly embedding_model: string
      readonly ids: readonly string[]
    }
    switch (`${method} ${path}`) {
      case 'GET /health':
        return {
          status: 200,
          body: { status: 'ok', ...shape(), items: items.size, max_items: 5, remaining: 5 - items.size },
        }
      case 'GET /export':
        return {
          status: 200,
          body: {
            status: 'ok',
            ...shape(),
            item_count: items.size,
            items: Array.from(items.values(), ({ text }) => ({ text })),
          },
        }
      case 'POST /upload':
        model = given.embedding_model
        for (const item of given.items) items.set(item.id, item)
        return { status: 200, body: { status: 'success', total: given.items.length } }
      case 'DELETE /store':
        items.clear()
        model = null
        return { status: 200, body: { status: 'success', message: 'The store is empty' } }
      case 'DELETE /items':
        for (const id of given.ids) items.delete(id)
        return { status: 200, body: { status: 'success', deleted: given.ids.length, not_found_ids: [] } }
      default:
        return { status: 404, body: { status: 'failure', message: 'no such path' } }
    }
  }).then((server) => ({ ...server, items }))
}

const startGateway = (documents: Map<string, { readonly version: string; readonly text: string }>) =>
  serve(({ path, body }) => {
    const page = /fetch-text-data\?fields=head(?:&next_token=(\d+))?$/.exec(path)
    const all = [...documents]
    if (page) {
      const from = Number(page[1] ?? 0)
      const next = from + 2 < all.length ? String(from + 2) : null
      const items = all
        .slice(from, from + 2)
        .map(([id, { version }]) => ({ id, version, created_at: null, is_summary: false }))
      const statistics = {
        total_items: items.length,
        total_text_chunks: items.length,
        total_summary_chunks: 0,
        created_at_min: null,
        created_at_max: null,
      }
      const pagination = { limit: 2, has_more: next !== null, next_token: next }
      return {
        status: 200,
        body: { status: 'success', message: '', namespace: 'notes', statistics, items, pagination, execution_time: 0 },
      }
    }
    if (body === undefined) return { status: 200, body: { status: 'ok' } }
    const { ids } = body as { readonly ids: readonly string[] }
    const items = ids.flatMap((id) =>
      documents.has(id) ? [{ id, text: documents.get(id)?.text, metadata: { title: `Title of ${id}` } }] : [],
    )
    return {
      status: 200,
      body: {
        status: 'success',
        message: '',
        namespace_name: 'notes',
        requested_ids: ids.length,
        found_items: items.length,
        items,
      },
    }
  })

describe('cairn edge', () => {
  it('pulls over HTTP what has changed, and takes an export back in', async () => {
    const documents = new Map(['a', 'b', 'c'].map((id) => [id, { version: `${id}1`, text: `The text of ${id}.` }]))
    const [gateway, edge] = [await startGateway(documents), await startEdge('edge-key')]
    const dataDir = temporaryDirectory()
    const env = {
      CAIRN_URL: gateway.url,
      CAIRN_API_KEY: 'k',
      CAIRN_DATA_DIR: dataDir,
      CAIRN_EDGE_URL: edge.url,
      CAIRN_EDGE_KEY: 'edge-key',
    }
    const pull = () => cairn(env, 'edge', 'pull', 'notes')
    expect(await pull()).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^3 items: 3 fetched, 0 unchanged, 0 removed; 3 chunks sent/),
    })
    expect([...edge.items.keys()]).toEqual(['a#chunk-0', 'b#chunk-0', 'c#chunk-0'])
    expect(edge.items.get('a#chunk-0')?.text).toBe(
      '[meta]\ndoc_id: a\ncategory: document\ntitle: Title of a\ntags: \nchunk: 0\n[/meta]\n\nThe text of a.',
    )
    expect(edge.items.get('a#chunk-0')?.vector).toHaveLength(768)
    expect(gateway.seen.every(({ key }) => key === 'k')).toBe(true)

    documents.set('b', { version: 'b2', text: 'Another text of b.' })
    documents.delete('c')
    expect((await pull()).out).toMatch(/^2 items: 1 fetched, 1 unchanged, 1 removed; 1 chunks sent/)
    expect(gateway.seen.flatMap(({ body }) => (body === undefined ? [] : [body]))).toEqual([
      { ids: ['a', 'b', 'c'] },
      { ids: ['b'] },
    ])

    const exported = async () => (await fetch(`${edge.url}/export`, { headers: { 'x-api-key': 'edge-key' } })).text()
    const before = await exported()
    const file = join(dataDir, 'export.json')
    writeFileSync(file, before)
    edge.items.clear()
    const imported = await cairn(env, 'edge', 'import', file, '--json')
    expect({ code: imported.code, data: JSON.parse(imported.out) }).toMatchObject({
      code: 0,
      data: { edge: edge.url, uploaded: 2, blank: 0, formerModel: 'hashed-words-1', model: 'hashed-words-1' },
    })
    expect(await exported()).toBe(before)
  })

  it('says what stands in the way', async () => {
    const [gateway, edge] = [await startGateway(new Map()), await startEdge('edge-key', 'hashed-words-1')]
    const dataDir = temporaryDirectory()
    const env = { CAIRN_URL: gateway.url, CAIRN_API_KEY: 'k', CAIRN_DATA_DIR: dataDir, CAIRN_EDGE_URL: edge.url }
    edge.items.set('x', { id: 'x', text: 'no block', vector: Array.from({ length: 768 }, () => 1) })
    expect(await cairn(env, 'edge', 'pull', 'notes')).toMatchObject({
      code: 3,
      err: `namespace "notes" on ${gateway.url} (CAIRN_URL) → edge store ${edge.url}\ncairn: The key is wrong\n`,
    })
    expect(await cairn(env, 'edge', 'pull', 'notes', '--merge', '--replace')).toMatchObject({ code: 2 })
    edge.items.clear()
    const nobody = 'http://127.0.0.1:1'
    expect(await cairn(env, 'edge', 'pull', 'notes', '--edge', nobody)).toMatchObject({
      code: 5,
      err: expect.stringContaining(
        `No server answers at ${nobody}: start the edge store, or set its address by CAIRN_EDGE_URL or --edge`,
      ),
    })
    expect(await cairn(env, 'edge', 'pull', 'notes', '--edge', gateway.url)).toMatchObject({ code: 1 })
    expect(await cairn(env, 'edge', 'pull', 'notes', '--edge', 'ftp://x')).toMatchObject({ code: 2 })
    const file = join(dataDir, 'export.json')
    expect(await cairn(env, 'edge', 'import', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining("can't be read (ENOENT)"),
    })
    writeFileSync(file, '{')
    expect(await cairn(env, 'edge', 'import', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not JSON'),
    })
    writeFileSync(file, '{"items":[{"text":"no block"}]}')
    expect(await cairn(env, 'edge', 'import', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('item 1 does not begin'),
    })
    expect(edge.items.size).toBe(0)
  })

  it('names the store, and leaves one with data of others alone until it is told what to do', async () => {
    const documents = new Map([['a', { version: 'a1', text: 'The text of a.' }]])
    const [gateway, edge] = [await startGateway(documents), await startEdge(undefined, 'hashed-words-1')]
    const dataDir = temporaryDirectory()
    const env = { CAIRN_URL: gateway.url, CAIRN_API_KEY: 'k', CAIRN_DATA_DIR: dataDir, CAIRN_EDGE_URL: edge.url }
    const other = { id: 'x', text: 'no block', vector: Array.from({ length: 768 }, () => 1) }
    edge.items.set('x', other)
    expect(await cairn(env, 'edge', 'pull', 'notes')).toMatchObject({
      code: 4,
      out: '',
      err: expect.stringContaining(`The edge store at ${edge.url} holds 1 items that are not known to be from`),
    })
    expect([...edge.items.values()]).toEqual([other])
    const file = join(dataDir, 'export.json')
    const block = '[meta]\ndoc_id: b\ncategory: c\ntitle: t\nchunk: 0\n[/meta]\n\nThe body.'
    writeFileSync(file, JSON.stringify({ items: [{ text: block }] }))
    expect(await cairn(env, 'edge', 'import', file)).toMatchObject({
      code: 4,
      err: expect.stringContaining('holds 1 items that are not in the export'),
    })
    expect([...edge.items.values()]).toEqual([other])
    expect(await cairn(env, 'edge', 'pull', 'notes', '--replace', '--yes')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`1 chunks sent to ${edge.url} in`),
    })
    expect([...edge.items.keys()]).toEqual(['a#chunk-0'])
    expect(await cairn(env, 'edge', 'import', file, '--merge')).toMatchObject({ code: 0 })
    expect([...edge.items.keys()]).toEqual(['a#chunk-0', 'b#chunk-0'])
  })

  it('follows no redirect of a store with its key', async () => {
    const [gateway, edge] = [await startGateway(new Map()), await startEdge('edge-key')]
    const headers = { location: `${edge.url}/health` }
    const moved = await serve(() => ({ status: 307, body: null, headers }))
    const env = { CAIRN_URL: gateway.url, CAIRN_API_KEY: 'k', CAIRN_EDGE_KEY: 'edge-key', CAIRN_EDGE_URL: moved.url }
    expect(await cairn(env, 'edge', 'pull', 'notes')).toMatchObject({
      code: 1,
      err: expect.stringContaining(`cairn: The server redirects to ${edge.url}/health: use that address instead\n`),
    })
    expect(edge.seen).toEqual([])
  })
})

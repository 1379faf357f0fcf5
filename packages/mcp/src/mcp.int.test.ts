import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type ClientRequest, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@cairn/testing/eventually'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Standalone, startStandalone } from '../../../e2e/target.ts'
import {
  documentResult,
  excerptOf,
  fileResult,
  filesResult,
  maxFiles,
  pieceLength,
  placed,
  readResult,
  searchResult,
} from './results.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-mcp-'))
const command = join(import.meta.dirname, '../../cli/src/main.ts')
const reading = ['answer', 'file_status', 'get_document', 'list_files', 'list_namespaces', 'read_file', 'search']
const writing = ['add_file', 'add_text']

let server: Standalone
let reader: Standalone
beforeAll(async () => {
  server = await startStandalone({ env: { CAIRN_MCP: 'write', CAIRN_CORS_ORIGINS: 'https://app.example' } })
  reader = await startStandalone()
}, 60_000)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await Promise.all([server.stop(), reader.stop()])
})

const connected = async (transport: StdioClientTransport | StreamableHTTPClientTransport) => {
  const client = new Client({ name: 'test', version: '1' })
  // The SDK's types are not compatible with exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client['connect']>[0])
  onTestFinished(() => client.close())
  return client
}
const overStdio = ({ url, apiKey }: Standalone, ...options: readonly string[]) =>
  connected(
    new StdioClientTransport({
      command: process.execPath,
      args: [command, 'mcp', ...options],
      env: { CAIRN_URL: url, CAIRN_API_KEY: apiKey },
    }),
  )
const overHttp = ({ url, apiKey }: Pick<Standalone, 'url' | 'apiKey'>, header = 'authorization') =>
  connected(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { [header]: header === 'authorization' ? `Bearer ${apiKey}` : apiKey } },
    }),
  )
const call = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: args })
  const [content] = result.content as { readonly text: string }[]
  return { isError: result.isError === true, text: content?.text ?? '', ...(result.structuredContent as object) }
}
const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).toSorted()

let names = 0
const namespaceAt = async ({ url, apiKey }: Standalone): Promise<string> => {
  names += 1
  const name = `notes-${names}`
  const response = await fetch(`${url}/v1/namespaces`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ namespace_name: name, type: 'text' }),
  })
  expect(response.status).toBe(201)
  return name
}

describe.each([
  ['standard input and output', () => overStdio(server, '--write')],
  ['streamable HTTP', () => overHttp(server)],
])('every tool over %s', { timeout: 60_000 }, (transport, open) => {
  it('adds, finds, answers and reads', async () => {
    const client = await open()
    const namespace = await namespaceAt(server)
    expect(await toolsOf(client)).toEqual([...reading, ...writing].toSorted())
    const text = 'Cairns are piles of stones that mark a path over the pass.'
    const added = await call(client, 'add_text', {
      namespace,
      id: 'stones/1',
      text,
      metadata: { source: 'guide', year: 2026 },
      context: 'Waymarks of the Zillertal',
    })
    const byContext = await call(client, 'search', { query: 'Zillertal', namespaces: [namespace], mode: 'lexical' })
    expect(byContext).toMatchObject({ results: [{ id: 'stones/1' }] })
    expect(added).toMatchObject({ isError: false, id: 'stones/1', status: 'completed' })
    const file = {
      namespace,
      file_name: 'huts.md',
      text: '# Huts\n\nEvery hut keeps blankets and dry wood for late guests.\n',
    }
    expect(await call(client, 'add_file', file)).toMatchObject({ isError: false, state: 'completed', chunks: 1 })
    const encoded = {
      namespace,
      file_name: 'wind.txt',
      content_base64: Buffer.from('Turn back when the wind rises on the ridge.').toString('base64'),
    }
    expect(await call(client, 'add_file', encoded)).toMatchObject({ isError: false, state: 'completed' })

    expect(await call(client, 'list_namespaces')).toMatchObject({
      namespaces: expect.arrayContaining([expect.objectContaining({ namespace_name: namespace, item_count: 3 })]),
    })
    expect(
      await call(client, 'search', { query: 'what marks a path', namespaces: [namespace], top_k: 1 }),
    ).toMatchObject({
      results: [{ id: 'stones/1', namespace, text, metadata: { source: 'guide', year: 2026 } }],
    })
    const filtered = { query: 'blankets', namespaces: [namespace], filter: { key: 'year', gte: 2026 }, mode: 'lexical' }
    expect(await call(client, 'search', filtered)).toMatchObject({ results: [] })
    expect(await call(client, 'answer', { query: 'What marks a path over the pass?', namespace })).toMatchObject({
      answer: expect.stringContaining('Cairns'),
      sources: expect.arrayContaining([expect.objectContaining({ id: 'stones/1' })]),
    })
    // Without a namespace, all text namespaces are searched.
    expect(await call(client, 'search', { query: 'Zillertal', top_k: 3, mode: 'lexical' })).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ id: 'stones/1', namespace })]),
    })
    expect(await call(client, 'answer', { query: 'Which huts keep blankets for late guests?' })).toMatchObject({
      isError: false,
      answer: expect.stringContaining('blankets'),
    })
    const others = await namespaceAt(server)
    const question = { query: 'Which huts keep blankets for late guests?', namespaces: [others, namespace] }
    expect(await call(client, 'answer', question)).toMatchObject({
      answer: expect.stringContaining('blankets'),
      sources: expect.arrayContaining([expect.objectContaining({ namespace, found_in: expect.any(String) })]),
    })
    expect(await call(client, 'answer', { ...question, namespace })).toMatchObject({
      isError: true,
      text: expect.stringContaining('namespaces can not be sent with namespace'),
    })
    expect(await call(client, 'get_document', { namespace, id: 'stones/1' })).toMatchObject({ text })
    const part = await call(client, 'get_document', { namespace, id: 'stones/1', offset: 50 })
    expect(part).toMatchObject({ text: text.slice(50) })
    expect(await call(client, 'list_files', { namespace })).toMatchObject({
      files: [
        { file_name: 'huts.md', state: 'completed', chunks: 1 },
        { file_name: 'wind.txt', state: 'completed', chunks: 1 },
      ],
    })
    expect(await call(client, 'list_files', { namespace, prefix: 'w', offset: 0 })).toMatchObject({
      files: [{ file_name: 'wind.txt' }],
    })
    expect(await call(client, 'read_file', { namespace, file_name: 'huts.md' })).toMatchObject({
      file_name: 'huts.md',
      parts: [{ place: '"Huts"', text: expect.stringContaining('blankets') }],
    })
    expect(await call(client, 'read_file', { namespace, file_name: 'huts.md', chunk: 9 })).toMatchObject({
      state: 'completed',
      note: 'There is no text to read here.',
    })
    expect(await call(client, 'search', { query: 'blankets', namespaces: [namespace], top_k: 2 })).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ found_in: 'huts.md, "Huts"' })]),
    })
    const { text: listed } = await call(client, 'list_namespaces')
    expect(listed).not.toContain('unread_scripts')
    const status = await call(client, 'file_status', { namespace, file_name: 'huts.md' })
    expect(status).toMatchObject({ state: 'completed', chunks: 1 })
    expect(status.text.length).toBeLessThan(400)
    for (const name of ['file_status', 'list_namespaces', 'get_document', 'search'])
      expect(
        (await call(client, name, { namespace, file_name: 'huts.md', id: 'stones/1', query: 'huts' })).text,
      ).not.toContain('null')
    const { contents } = await client.readResource({ uri: `cairn://${namespace}/${encodeURIComponent('stones/1')}` })
    expect(contents).toMatchObject([{ mimeType: 'text/plain', text }])
  })

  it('says what is wrong as a result', async () => {
    const client = await open()
    const namespace = await namespaceAt(server)
    const wrong = async (name: string, args: Record<string, unknown>) => {
      const { isError, text } = await call(client, name, args)
      expect(isError).toBe(true)
      return text
    }
    const others = new RegExp(`none.*not found.*\\. The namespaces are: .*${namespace}`, 'i')
    expect(await wrong('search', { query: 'x', namespaces: ['none'] })).toMatch(others)
    expect(await wrong('list_files', { namespace: 'none' })).toMatch(others)
    expect(await wrong('get_document', { namespace, id: 'none' })).toMatch(/^There is no document "none" in "\S+"$/)
    await call(client, 'add_file', { namespace, file_name: 'a.txt', text: 'A file, not a document.' })
    expect(await wrong('get_document', { namespace, id: 'a.txt' })).toMatch(/it is a file; read it with read_file$/)
    expect(await wrong('read_file', { namespace, file_name: 'b.txt' })).toMatch(/^File not found/)
    expect(await wrong('add_text', { namespace, text: 'short' })).toMatch(/at least 10 characters/)
    expect(await wrong('add_file', { namespace, file_name: 'a.exe', text: 'A program.' })).toMatch(/\.exe/)
    expect(await wrong('add_file', { namespace, file_name: 'a.txt' })).toMatch(/one of text/)
    expect(await wrong('search', { query: 'x', namespaces: [namespace], top_k: 0 })).toMatch(/top_k/)
    expect(transport).toBeTypeOf('string')
  })
})

describe('the tools that write', { timeout: 60_000 }, () => {
  it('are not there unless they were asked for', async () => {
    expect(await toolsOf(await overStdio(server))).toEqual(reading)
    expect(await toolsOf(await overHttp(reader))).toEqual(reading)
    const client = await overHttp(reader)
    expect(await call(client, 'add_text', { namespace: 'x', text: 'A text that is long enough.' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/add_text not found/),
    })
  })

  it('do nothing for a key that only reads', async () => {
    const namespace = await namespaceAt(server)
    const admin = (path: string, body?: unknown) =>
      fetch(`${server.url}/admin/v1/${path}`, {
        headers: { 'x-admin-key': server.adminKey, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }).then((response) => response.json() as Promise<Record<string, never>>)
    const { accounts } = (await admin('accounts')) as unknown as { accounts: { account_id: string }[] }
    const { api_key: apiKey } = await admin(`accounts/${accounts[0]?.account_id}/keys`, { name: 'r', scopes: ['read'] })
    const client = await overHttp({ url: server.url, apiKey: apiKey as unknown as string }, 'x-api-key')
    expect(await call(client, 'list_namespaces')).toMatchObject({ isError: false })
    for (const [name, args] of [
      ['add_text', { namespace, text: 'A text that is long enough.' }],
      ['add_file', { namespace, file_name: 'a.txt', text: 'A text that is long enough.' }],
    ] as const)
      expect(await call(client, name, args)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/Insufficient permissions/),
      })
  })

  it('read files of the machine only where the assistant runs', async () => {
    const namespace = await namespaceAt(server)
    const path = join(folder, 'ropes.txt')
    writeFileSync(path, 'A rope is as long as it is, and no longer than that.')
    expect(await call(await overStdio(server, '--write'), 'add_file', { namespace, path })).toMatchObject({
      isError: false,
      file_name: 'ropes.txt',
      state: 'completed',
    })
    expect(await call(await overHttp(server), 'add_file', { namespace, path })).toMatchObject({ isError: true })
  })

  it('read no file that may be a secret, under no other name', async () => {
    const namespace = await namespaceAt(server)
    const client = await overStdio(server, '--write')
    const at = (...segments: readonly string[]) => join(folder, ...segments)
    mkdirSync(at('.keys'))
    for (const file of [at('.keys', 'notes.txt'), at('id_rsa')]) writeFileSync(file, 'A secret that stays here.')
    mkdirSync(at('folder.txt'))
    symlinkSync(at('id_rsa'), at('link.txt'))
    symlinkSync(at('.keys'), at('open'))
    for (const [path, reason] of [
      [at('id_rsa'), /types/],
      [at('link.txt'), /types/],
      [at('folder.txt'), /types/],
      [at('.keys', 'notes.txt'), /hidden/],
      [at('open', 'notes.txt'), /hidden/],
      [at('missing.txt'), /ENOENT/],
    ] as const)
      expect(await call(client, 'add_file', { namespace, path, file_name: 'notes.txt' })).toMatchObject({
        isError: true,
        text: expect.stringMatching(reason),
      })
    expect(await call(client, 'list_namespaces')).toMatchObject({
      namespaces: expect.arrayContaining([expect.objectContaining({ namespace_name: namespace, item_count: 0 })]),
    })
  })
})

describe('/mcp', () => {
  const send = (
    headers: Readonly<Record<string, string>>,
    body = '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    url = server.url,
  ) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'x-api-key': server.apiKey,
        ...headers,
      },
      body,
    })

  it('answers pages of this machine and of the configured origins only', async () => {
    const statuses = async (...origins: readonly string[]) =>
      Promise.all(origins.map(async (origin) => (await send({ origin })).status))
    expect(await statuses('http://localhost:6274', 'http://127.0.0.1', 'https://app.example')).toEqual([200, 200, 200])
    expect(await statuses('https://evil.example', 'http://localhost.evil.example', 'null')).toEqual([403, 403, 403])
    expect((await send({})).status).toBe(200)
  })

  it('needs a key, one message in JSON, and the media types of the protocol', async () => {
    expect((await send({ 'x-api-key': '' })).status).toBe(401)
    expect((await send({ 'x-api-key': '', authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await send({}, '{')).status).toBe(400)
    expect((await send({}, '{"hello":1}')).status).toBe(400)
    expect((await send({ accept: 'text/html' })).status).toBe(406)
    expect((await fetch(`${server.url}/mcp`)).status).toBe(405)
  })

  it('refuses a batch, which could cancel a request of its own and never be answered', async () => {
    const request = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_namespaces","arguments":{}}}'
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'
    for (const batch of [`[${request},${cancel}]`, `[${request}]`, '[]']) {
      const response = await send({}, batch)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(/one message/) } })
    }
  })

  it('answers a bounded number of messages of a key at once', { timeout: 60_000 }, async () => {
    const limited = await startStandalone({ env: { CAIRN_REQUESTS_PER_KEY: '2' } })
    onTestFinished(() => limited.stop())
    const headers = { 'x-api-key': limited.apiKey, 'content-type': 'application/json', 'content-length': '100' }
    const held: ClientRequest[] = []
    const hold = () => {
      const one = request(`${limited.url}/mcp`, { method: 'POST', headers })
      one.on('error', () => undefined).write('{')
      held.push(one)
    }
    const status = async () => (await send({ 'x-api-key': limited.apiKey }, undefined, limited.url)).status
    // Each try holds one more request, because a held request may itself be refused and then occupies no slot.
    const withOneMoreHeld = async () => {
      hold()
      return status()
    }
    await eventually(withOneMoreHeld, (is) => is === 429)
    for (const one of held) one.destroy()
    await eventually(status, (is) => is === 200)
  })
})

describe('the excerpt of a hit', () => {
  it('is the whole text, or the best passage and what is around it', () => {
    const long = `${'a'.repeat(5_000)}BEST${'b'.repeat(5_000)}`
    expect(excerptOf({ text: 'short' })).toBe('short')
    const around = excerptOf({ text: long, highlights: [{ start: 5_000, end: 5_004 }] })
    expect(around).toMatch(/^…a+BESTb+…$/)
    expect(Array.from(around)).toHaveLength(2_002)
    expect(excerptOf({ text: long, highlights: [] })).toBe(`${'a'.repeat(2_000)}…`)
    expect(excerptOf({ text: '😀'.repeat(3_000), highlights: [{ start: 2_990, end: 3_000 }] })).toBe(
      `…${'😀'.repeat(2_000)}`,
    )
  })
})

describe('a long result', () => {
  const hit = (number: number, text: string) => ({
    id: `d${number}`,
    namespace: 'notes',
    score: 0.9,
    text,
    metadata: { empty: null },
    similarity: 'Close Match',
  })

  it('of a search has as many excerpts as fit, and says how to get the rest', () => {
    const hits = Array.from({ length: 50 }, (_, number) => hit(number, 'word '.repeat(1_000)))
    const { results, note } = searchResult(hits as never) as { results: object[]; note: string }
    expect(results).toHaveLength(19)
    expect(note).toMatch(/get_document.*31 further results/)
    // Metadata fills the context of an assistant, too.
    const tagged = hits.map((one) => ({ ...one, text: 'short', metadata: { tags: 'x'.repeat(1_900) } }))
    expect(searchResult(tagged as never)).toMatchObject({ note: expect.stringMatching(/^\d+ further results/) })
    expect(searchResult([hit(1, 'short')] as never)).toEqual({
      results: [{ id: 'd1', namespace: 'notes', score: 0.9, text: 'short', metadata: { empty: null } }],
    })
  })

  it('of a document comes in pieces that make up the whole', () => {
    const text = '😀 word '.repeat(6_000)
    let [whole, offset] = ['', 0]
    for (let more = true; more; ) {
      const piece = documentResult({ id: 'a', text, metadata: {} } as never, offset)
      whole += String(piece['text'])
      more = piece['next_offset'] !== undefined
      offset = Number(piece['next_offset'])
    }
    expect(whole).toBe(text)
  })

  it('of a file has its first notes and the number of the others', () => {
    const notes = Array.from({ length: 30 }, (_, n) => ({ code: 'truncated', message: `Note ${n}` }))
    const result = fileResult({ state: 'completed', notes, metadata: {}, chunks: 0 } as never)
    expect(result).toEqual({ state: 'completed', notes: notes.slice(0, 10), further_notes: 20, chunks: 0 })
  })
})

describe('a part of a file', () => {
  const chunk = (index: number, page: string, text = 'A text.') => ({
    id: `a.pdf_chunk_${index}`,
    text,
    metadata: { source: 'a.pdf', chunk_index: index, page },
  })
  const each = async function* <T>(all: readonly T[]) {
    yield* all
  }

  it('has its place in words, and its page as a number', () => {
    expect(placed(chunk(3, '2'))).toMatchObject({ found_in: 'a.pdf, page 2', metadata: { page: 2 } })
    const summary = {
      id: 'a.pdf_summary_0',
      metadata: { ...chunk(3, 'summary_0_chunks_0_3').metadata, is_summary: true },
    }
    expect(placed(summary)).toMatchObject({ found_in: 'a.pdf, summary', metadata: { source: 'a.pdf' } })
    expect(placed(summary).metadata).not.toHaveProperty('page')
    const document = { id: 'note', metadata: { page: '2', source: 'a.pdf' } }
    expect(placed(document)).toEqual(document)
  })

  it('is read in pieces that end between chunks', async () => {
    const chunks = ['1', '2', '2'].map((page, index) => chunk(index + 4, page, 'x'.repeat(pieceLength / 2)))
    expect(await readResult(each(chunks as never[]))).toMatchObject({
      parts: [{ place: 'page 1' }, { place: 'page 2' }],
      next_chunk: 6,
    })
    expect(await readResult(each([chunk(0, '1', 'x'.repeat(2 * pieceLength))] as never[]))).toMatchObject({
      parts: [{ place: 'page 1' }],
    })
  })

  it('is listed with its file, in pages', async () => {
    const files = Array.from({ length: maxFiles + 1 }, (_, n) => ({ file_name: `${n}.txt`, notes: 0, reason: null }))
    const first = await filesResult(each(files as never[]), 0)
    expect(first).toMatchObject({ next_offset: maxFiles })
    expect(await filesResult(each(files as never[]), maxFiles)).toEqual({ files: [{ file_name: `${maxFiles}.txt` }] })
  })
})

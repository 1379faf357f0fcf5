import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cairn } from './index.ts'

/** Long, because tens of megabytes are sent while other tests run. */
const patienceMs = 60_000

type Body = { readonly first_part?: number; readonly parts?: unknown; readonly upload_id?: string }
type Faults = {
  /** Status for the nth PUT of a part, from 1; undefined: the part is stored. */
  readonly put?: (part: number, attempt: number) => number | undefined
  /** Status for the nth completion, from 1. */
  readonly complete?: (attempt: number) => number
  /** File size that the status request reports, in bytes. Default 0. */
  readonly size?: number
}

/** Serves multipart uploads, with the given faults. */
const serve = async ({ put = () => undefined, complete = () => 200, size = 0 }: Faults = {}) => {
  const calls: string[] = []
  const stored = new Map<number, { readonly bytes: number; readonly address: string }>()
  const attempts = new Map<number, number>()
  let completed: unknown
  let issued = 0
  let completions = 0
  const server = createServer(async (request, response) => {
    // The client aborts the parts in progress when it gives up.
    const chunks = await request.toArray().catch(() => undefined)
    if (!chunks) return
    const body = Buffer.concat(chunks)
    const { method, url = '' } = request
    if (method === 'GET') {
      calls.push('status')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ size }))
    }
    const reply = (status: number, value: unknown, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
    if (method === 'PUT') {
      const part = Number(/part=(\d+)/.exec(url)?.[1])
      const attempt = (attempts.get(part) ?? 0) + 1
      attempts.set(part, attempt)
      const status = put(part, attempt)
      if (status !== undefined) return reply(status, {})
      stored.set(part, { bytes: body.length, address: url })
      return reply(200, {}, { etag: `"etag-${part}"` })
    }
    const sent = JSON.parse(String(body)) as Body
    const name = url.split('/').at(-1) ?? ''
    calls.push(name === 'upload-multipart' ? `start ${sent.first_part}` : name)
    if (name === 'complete') {
      completed = sent.parts
      completions += 1
      const status = complete(completions)
      return reply(status, status === 200 ? {} : { error: 'No', request_id: 'req_1' })
    }
    if (name === 'abort') return reply(200, {})
    issued += 1
    const first = sent.first_part ?? 1
    const parts = Array.from({ length: Number(sent.parts) }, (_, index) => ({
      part: first + index,
      upload_url: `/files/a.txt?part=${first + index}&issue=${issued}`,
    }))
    return reply(200, { upload_id: 'parts_1', content_type: 'text/plain', part_size: 8_388_608, parts })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const upload = (bytes: number, retries = 3) =>
    new Cairn({ url, apiKey: 'key', retries }).files.upload('notes', new Blob([new Uint8Array(bytes)]), {
      name: 'a.txt',
      method: 'multipart',
    })
  return { calls, stored, upload, completed: () => completed }
}

const partBytes = 8 * 1024 * 1024

describe('an upload in parts', { timeout: patienceMs }, () => {
  it('sends every part to its address, and completes with their etags in order', async () => {
    const { calls, stored, upload, completed } = await serve()
    await upload(2 * partBytes + 1)
    expect([...stored].toSorted(([a], [b]) => a - b).map(([part, { bytes }]) => [part, bytes])).toEqual([
      [1, partBytes],
      [2, partBytes],
      [3, 1],
    ])
    expect(completed()).toEqual([1, 2, 3].map((part) => ({ part, etag: `"etag-${part}"` })))
    expect(calls).toEqual(['start 1', 'complete'])
  })

  it('asks for the addresses of further parts when it comes to them', async () => {
    const { calls, upload, completed } = await serve()
    await upload(17 * partBytes)
    expect(calls).toEqual(['start 1', 'start 17', 'complete'])
    expect(completed()).toHaveLength(17)
  })

  it('repeats a part that the store did not take', async () => {
    const { calls, upload, completed } = await serve({
      put: (part, attempt) => (part === 2 && attempt === 1 ? 503 : undefined),
    })
    await upload(2 * partBytes)
    expect(completed()).toHaveLength(2)
    expect(calls).toEqual(['start 1', 'complete'])
  })

  it('gets a new address for a part whose address has expired', async () => {
    const { calls, stored, upload } = await serve({
      put: (part, attempt) => (part === 1 && attempt === 1 ? 403 : undefined),
    })
    await upload(partBytes)
    expect(calls).toEqual(['start 1', 'start 1', 'complete'])
    expect(stored.get(1)?.address).toContain('issue=2')
  })

  it.each([
    ['a part can not be stored', { put: (part: number) => (part === 2 ? 403 : undefined) }],
    ['it can not be completed', { complete: () => 400 }],
  ])('aborts when %s, so that no parts stay behind', async (_, faults: Faults) => {
    const { calls, upload } = await serve(faults)
    await expect(upload(2 * partBytes, 0)).rejects.toMatchObject({ name: 'CairnError' })
    expect(calls.at(-1)).toBe('abort')
  })

  it('is complete if the answer of its completion was lost, and only then', async () => {
    const lost = { complete: (attempt: number) => (attempt === 1 ? 503 : 404) }
    const { calls, upload } = await serve({ ...lost, size: 7 })
    expect(await upload(7)).toEqual({ file_name: 'a.txt', size: 7, method: 'multipart' })
    expect(calls).toEqual(['start 1', 'complete', 'complete', 'status'])

    const other = await serve({ ...lost, size: 8 })
    await expect(other.upload(7)).rejects.toMatchObject({ code: 'not_found' })
    const gone = await serve({ complete: () => 404, size: 7 })
    await expect(gone.upload(7)).rejects.toMatchObject({ code: 'not_found' })
    expect(gone.calls).toEqual(['start 1', 'complete', 'abort'])
  })
})

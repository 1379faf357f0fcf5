import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { Cairn, CairnError, type CairnOptions } from './index.ts'

export type Reply = {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the connection without an answer. */
  readonly isCut?: boolean
  /** Never answers. */
  readonly hangs?: boolean
}
export type Seen = {
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly at: number
}

/** Starts a server that sends these replies in order, then repeats the last reply. */
export const serve = async (...replies: readonly Reply[]) => {
  const seen: Seen[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    const reply = replies[Math.min(seen.length, replies.length - 1)]
    const one = { line: `${request.method} ${request.url}`, at: performance.now(), headers: request.headers, body: '' }
    seen.push(one)
    // The client may abort a request while sending its body.
    one.body = (await request.toArray().catch(() => [])).map(String).join('')
    if (!reply || reply.isCut) return void request.socket.destroy()
    if (reply.hangs) return
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const connect = (options: Partial<CairnOptions> = {}) => new Cairn({ url, apiKey: 'key', ...options })
  return { url, seen, connect }
}

export const failure = (message: string, more: Readonly<Record<string, unknown>> = {}) => ({
  status: 'failure',
  message,
  error: 'Some kind',
  request_id: 'req_1',
  ...more,
})

export const rejection = async (call: Promise<unknown>): Promise<CairnError> => {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CairnError)
  return error as CairnError
}

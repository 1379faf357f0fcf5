import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Reply = {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
type Seen = {
  readonly method: string
  readonly url: string
  readonly adminKey: string | undefined
  readonly apiKey: string | undefined
  readonly body: unknown
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const text = (await request.toArray()).map(String).join('')
  return text === '' ? undefined : JSON.parse(text)
}

/** Serves the reply, or the one that a function returns for the request, until the test has finished; `seen` has the requests. */
export const serve = async (replies: Reply | ((request: Seen) => Reply)) => {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const [adminKey, apiKey] = [headers['x-admin-key']?.toString(), headers['x-api-key']?.toString()]
    const received = { method, url, adminKey, apiKey, body: await bodyOf(request) }
    seen.push(received)
    const reply = typeof replies === 'function' ? replies(received) : replies
    response
      .writeHead(reply.status, reply.headers)
      .end(reply.body === undefined ? 'plain text' : JSON.stringify(reply.body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

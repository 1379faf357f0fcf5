import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RerankAsked = {
  readonly body: {
    readonly model?: string
    readonly query: string
    readonly documents?: readonly string[]
    readonly texts?: readonly string[]
  }
  readonly headers: IncomingMessage['headers']
}
/** Handles the n-th request, from 1: returns the JSON of an answer, or writes the response itself. */
export type RerankBehavior = (asked: RerankAsked, response: ServerResponse, nth: number) => unknown

/** Starts a server with `POST /rerank` over real HTTP, with the given behavior. */
export const startRerankServer = async (behave: RerankBehavior) => {
  const asked: RerankAsked[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const one = {
      body: JSON.parse(Buffer.concat(parts).toString('utf8')) as RerankAsked['body'],
      headers: request.headers,
    }
    asked.push(one)
    const answer = behave(one, response, asked.length)
    if (answer !== undefined)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rerank`,
    asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

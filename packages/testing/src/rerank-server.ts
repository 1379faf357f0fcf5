import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { startLocalServer } from './local-server.ts'

export type RerankAsked = {
  readonly body: {
    readonly model?: string
    readonly query: string
    readonly documents?: readonly string[]
    readonly texts?: readonly string[]
  }
  readonly headers: IncomingMessage['headers']
}
/** Handles request `nth`, counted from 1: returns the JSON of an answer, or writes the response itself. */
export type RerankBehavior = (asked: RerankAsked, response: ServerResponse, nth: number) => unknown

/** Starts a server with `POST /rerank` over real HTTP, with the given behavior. */
export const startRerankServer = async (behave: RerankBehavior) => {
  const asked: RerankAsked[] = []
  const { url, close } = await startLocalServer(async (request, response) => {
    const one = { body: (await json(request)) as RerankAsked['body'], headers: request.headers }
    asked.push(one)
    const answer = behave(one, response, asked.length)
    if (answer !== undefined)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  return { url: `${url}/rerank`, asked, close }
}

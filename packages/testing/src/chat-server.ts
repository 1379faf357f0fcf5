import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ChatRequest = {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
  readonly temperature: number
  readonly stream: boolean
  readonly response_format?: {
    readonly type: string
    readonly json_schema: { readonly name: string; readonly schema: object }
  }
}

export type ChatAsked = { readonly body: ChatRequest; readonly headers: IncomingMessage['headers'] }

/** Handles the n-th request, from 1: returns pieces of an answer, or writes the response itself. */
export type ChatBehaviour = (
  asked: ChatAsked,
  response: ServerResponse,
  nth: number,
) => readonly string[] | undefined | Promise<undefined>

export const chunkOf = (content: string, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'served', choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`

/** Streams the pieces as a server with OpenAI's chat completions does. */
export const streamPieces = (response: ServerResponse, pieces: readonly string[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of pieces) response.write(chunkOf(piece))
  response.end(`${chunkOf('', 'stop')}data: [DONE]\n\n`)
}

const readBody = async (request: IncomingMessage): Promise<ChatRequest> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as ChatRequest
}

/** Starts a server with OpenAI's `POST /chat/completions` over real HTTP, with the given behavior. */
export const startChatServer = async (behave: ChatBehaviour) => {
  const asked: ChatAsked[] = []
  const server = createServer(async (request, response) => {
    if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end()
    const one = { body: await readBody(request), headers: request.headers }
    asked.push(one)
    const pieces = await behave(one, response, asked.length)
    if (pieces) streamPieces(response, pieces)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

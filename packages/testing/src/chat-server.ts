import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { startLocalServer } from './local-server.ts'

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

/** Handles request `nth`, counted from 1: returns pieces of an answer, or writes the response itself. */
export type ChatBehaviour = (
  asked: ChatAsked,
  response: ServerResponse,
  nth: number,
) => readonly string[] | undefined | Promise<undefined>

export const chunkOf = (content: string, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'served', choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`

/** Streams the pieces in the format of OpenAI's chat completions. */
export const streamPieces = (response: ServerResponse, pieces: readonly string[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of pieces) response.write(chunkOf(piece))
  response.end(`${chunkOf('', 'stop')}data: [DONE]\n\n`)
}

/** Starts a server with OpenAI's `POST /chat/completions` over real HTTP, with the given behavior. */
export const startChatServer = async (behave: ChatBehaviour) => {
  const asked: ChatAsked[] = []
  const { url, close } = await startLocalServer(async (request, response) => {
    if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end()
    const one = { body: (await json(request)) as ChatRequest, headers: request.headers }
    asked.push(one)
    const pieces = await behave(one, response, asked.length)
    if (pieces) streamPieces(response, pieces)
  })
  return { baseUrl: `${url}/v1`, asked, close }
}

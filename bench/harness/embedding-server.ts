import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { startLocalServer } from '@cairn/testing/local-server'

export type EmbeddingServer = {
  /** URL for `CAIRN_OPENAI_URL`. */
  readonly url: string
  /** Returns the number of texts answered so far. */
  embedded(): number
  /** Returns the number of requests in progress. */
  waiting(): number
  /** Holds back all responses until `release`. */
  hold(): void
  release(): void
  close(): Promise<void>
}

/**
 * Starts a server for OpenAI's `POST /embeddings` that computes nothing and takes `delayMs` for each request, however
 * many arrive at once.
 */
export const startEmbeddingServer = async (dimension: number, delayMs: number): Promise<EmbeddingServer> => {
  let embedded = 0
  let waiting = 0
  let held = Promise.withResolvers<void>()
  held.resolve()
  const embedding = Array.from({ length: dimension }, (_, index) => (index === 0 ? 1 : 0))
  const { url, close } = await startLocalServer(async (request, response) => {
    const { input, model } = (await json(request)) as { input: string | string[]; model: string }
    waiting += 1
    await held.promise
    await pause(delayMs)
    waiting -= 1
    const count = Array.isArray(input) ? input.length : 1
    embedded += count
    const data = Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding }))
    const body = JSON.stringify({ object: 'list', data, model, usage: { prompt_tokens: 1, total_tokens: 1 } })
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  return {
    url: `${url}/v1`,
    embedded: () => embedded,
    waiting: () => waiting,
    hold: () => {
      held = Promise.withResolvers()
    },
    release: () => held.resolve(),
    close,
  }
}

import { randomBytes } from 'node:crypto'
import { AppError, isAppError } from '@cairn/contracts/errors'
import type { Answerer, AnswerModel, AnswerRequest } from '@cairn/domain/ports/answerer'
import type { Clock } from '@cairn/domain/ports/clock'
import type OpenAI from 'openai'
import type { APIError } from 'openai'
import { retryAfterMs } from '../retry-after.ts'
import { messagesFor } from './prompt.ts'

export type OpenaiAnswererOptions = {
  /** URL before `/chat/completions`: `https://api.openai.com/v1`, `http://localhost:11434/v1` (Ollama). */
  readonly baseUrl: string
  /** Bearer token; local servers need none. */
  readonly apiKey?: string | undefined
  /** By the id that clients use: the server's name of the model, and the credits of a request. */
  readonly models: ReadonlyMap<string, { readonly model: string; readonly credits: number }>
  /** Used if the request names no model or an unknown one. */
  readonly defaultModel: string
  /** For one answer, retries and pauses included. */
  readonly timeoutMs: number
  /** Maximum time without data from the server. Default 30,000. */
  readonly silenceMs?: number
  readonly clock: Clock
}

const tries = 3
/** A few hundred times the size of a long answer. */
const maxBytes = 8 * 1024 * 1024
const pauseMs = (attempt: number): number => 500 * 2 ** attempt

const unavailable = (message: string, cause?: unknown, retryAfterSeconds?: number): AppError =>
  new AppError('unavailable', message, {
    ...(cause === undefined ? {} : { cause }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  })

/** Loaded at the first answer: it takes megabytes that an idle process should not use. */
const load = () => import('openai')
type Library = Awaited<ReturnType<typeof load>>

const maxRetryAfterSeconds = 86_400

const retryAfterOf = (error: APIError, now: number): number | undefined => {
  const ms = retryAfterMs(error.headers?.get('retry-after'), now)
  return ms === undefined ? undefined : Math.min(maxRetryAfterSeconds, ms / 1_000)
}

/** The server's message is only in the cause, for the log. */
const translateError = (error: unknown, { APIConnectionError, APIError }: Library, now: number): unknown => {
  if (isAppError(error)) return error
  if (error instanceof APIConnectionError) return unavailable('The answering model is out of reach.', error)
  if (!(error instanceof APIError)) return unavailable('The answering model broke off its answer.', error)
  const { status } = error
  if (status === 429 || status === 408 || status === 409)
    return unavailable('The answering model is busy.', error, retryAfterOf(error, now))
  if (status === undefined || status >= 500)
    return unavailable('The answering model failed.', error, retryAfterOf(error, now))
  if (status === 400 || status === 413 || status === 422)
    return new AppError(
      'invalid',
      'The answering model refuses the request; it may be too long for it: lower top_k, or send shorter prompts.',
      {
        cause: error,
      },
    )
  return new Error(`the answering model answers ${status}: its address, key or name is wrong`, { cause: error })
}

/** Bodies fail after `maxBytes`: a consumer would keep an endless body in memory. */
const limitedFetch =
  (maxBytes: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!response.body) return response
    let bytes = 0
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          bytes += chunk.byteLength
          if (bytes > maxBytes) controller.error(new Error(`the answer has more than ${maxBytes} bytes`))
          else controller.enqueue(chunk)
        },
      }),
    )
    return new Response(counted, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }

const clientOf = ({ OpenAI }: Library, { baseUrl, apiKey, timeoutMs }: OpenaiAnswererOptions): OpenAI =>
  new OpenAI({
    baseURL: baseUrl,
    // The library requires a key, and would otherwise read one from the environment.
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    // `write` retries, and reports an error if a pause does not fit into the remaining time.
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    // fetch requests gzip by default, and a server that compresses a stream holds back tokens until a block is full.
    defaultHeaders: { 'accept-encoding': 'identity' },
    fetch: limitedFetch(maxBytes),
  })

const bodyOf = (model: string, request: AnswerRequest): OpenAI.ChatCompletionCreateParamsStreaming => {
  const { form, temperature } = request
  return {
    model,
    messages: messagesFor(request, randomBytes(12).toString('hex')),
    temperature,
    stream: true,
    ...(form && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: form.name, description: form.description, schema: form.schema },
      },
    }),
  }
}

/** Yields the text of an answer. AppError `unavailable` if it is blank or not complete. */
const piecesOf = async function* (
  stream: AsyncIterable<OpenAI.ChatCompletionChunk>,
  signal: AbortSignal,
  onData: () => void,
): AsyncGenerator<string, undefined> {
  let isWhole = false
  let isBlank = true
  for await (const { choices } of stream) {
    onData()
    const [choice] = choices
    if (choice?.finish_reason) isWhole = true
    const piece = choice?.delta.content ?? ''
    if (piece === '') continue
    if (/\S/u.test(piece)) isBlank = false
    yield piece
  }
  // An aborted stream ends like a complete one.
  signal.throwIfAborted()
  if (!isWhole) throw unavailable('The answering model broke off its answer.')
  if (isBlank) throw unavailable('The answering model gave no answer.')
}

const modelOf = ({ models }: OpenaiAnswererOptions, id: string) => {
  const found = models.get(id)
  if (!found) throw new Error(`no model is configured as ${id}`)
  return found
}

type Opened = { readonly options: OpenaiAnswererOptions; readonly library: Library; readonly client: OpenAI }

async function* requestAnswer(
  { options, library, client }: Opened,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<string, undefined> {
  const silent = new AbortController()
  const timer = setTimeout(
    () => silent.abort(unavailable('The answering model sent nothing for too long.')),
    options.silenceMs ?? 30_000,
  )
  const stop = AbortSignal.any([signal, silent.signal])
  try {
    const body = bodyOf(modelOf(options, request.model).model, request)
    const stream = await client.chat.completions.create(body, { signal: stop })
    yield* piecesOf(stream, stop, () => timer.refresh())
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw silent.signal.aborted ? silent.signal.reason : translateError(error, library, options.clock.now())
  } finally {
    clearTimeout(timer)
  }
}

/** For servers with OpenAI's `POST /chat/completions`: OpenAI, Ollama, vLLM. Sends nothing before its first use. */
export const openaiAnswerer = (options: OpenaiAnswererOptions): Answerer => {
  const { models, defaultModel, timeoutMs, clock } = options
  let opening: Promise<Opened> | undefined
  const open = () => {
    opening ??= load().then((library) => ({ options, library, client: clientOf(library, options) }))
    return opening
  }
  return {
    modelFor: (requested): AnswerModel => {
      const id = requested !== undefined && models.has(requested) ? requested : defaultModel
      return { id, credits: modelOf(options, id).credits }
    },
    async *write(request, { signal }) {
      const until = clock.monotonic() + timeoutMs
      const late = AbortSignal.timeout(timeoutMs)
      const stop = AbortSignal.any([signal, late])
      for (let attempt = 0; ; attempt += 1) {
        let hasBegun = false
        try {
          for await (const piece of requestAnswer(await open(), request, stop)) {
            hasBegun = true
            yield piece
          }
          return
        } catch (error) {
          if (signal.aborted) throw signal.reason
          if (late.aborted) throw unavailable(`The answering model took longer than ${timeoutMs} ms.`)
          // Text that was already yielded can't be taken back.
          if (hasBegun || attempt + 1 === tries || !isAppError(error, 'unavailable')) throw error
          const ms = error.retryAfterSeconds === undefined ? pauseMs(attempt) : error.retryAfterSeconds * 1_000
          if (clock.monotonic() + ms >= until) throw error
          await clock.delay(ms, stop)
        }
      }
    },
  }
}

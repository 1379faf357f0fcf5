import { AppError, type ErrorCode, type JsonObject } from '@cairn/contracts/errors'

export type Call<Request> = { readonly id: number; readonly request: Request }

/** Messages of one turn of the caller's event loop, in order. `cancel`: no caller waits for this request any more. */
export type ToThread<Request, Notice = never> = readonly (
  | Call<Request>
  | { readonly cancel: number }
  | { readonly notice: Notice }
  | 'close'
)[]

/** An error without a code is a defect; `message` then contains the stack. */
export type Failure = {
  readonly message: string
  readonly code?: ErrorCode
  readonly body?: JsonObject
  readonly retryAfterSeconds?: number
  /** Only a text, such as `storeDamage`. */
  readonly cause?: string
}

export type Answer = { readonly id: number; readonly value?: unknown; readonly failure?: Failure }

/** `news` is delivered before the answers. */
export type FromThread<News = never> = { readonly answers: readonly Answer[]; readonly news?: News }

export const toFailure = (error: unknown): Failure => {
  if (error instanceof AppError) {
    const { message, code, body, retryAfterSeconds, cause } = error
    return {
      message,
      code,
      body,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      ...(typeof cause === 'string' ? { cause } : {}),
    }
  }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

export const toError = ({ message, code, ...options }: Failure): Error =>
  code ? new AppError(code, message, options) : new Error(message)

import type { JsonObject } from '@cairn/contracts/errors'

/** `text` is quoted content, never an instruction. `score`: of the search, 0 to 1; default 1. */
export type Passage = { readonly id: string; readonly text: string; readonly score?: number }

/** Filled in by the model instead of writing freely. */
export type Form = { readonly name: string; readonly description: string; readonly schema: JsonObject }

export type AnswerRequest = {
  /** Model id as returned by `modelFor`. */
  readonly model: string
  readonly query: string
  /** Best first. Undefined: no search was done, so the model answers without sources. */
  readonly passages: readonly Passage[] | undefined
  /** Returns the oldest first. */
  readonly history: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[]
  /** The caller's own instructions around the question; empty: none. */
  readonly headerPrompt: string
  readonly footerPrompt: string
  /** 0 to 2. */
  readonly temperature: number
  /** If set, the text is one JSON value, which the caller has to check. */
  readonly form?: Form
}

export type AnswerModel = {
  readonly id: string
  /** Credits per call; at least 1. */
  readonly credits: number
}

export type Answerer = {
  /** Returns the requested model if it is configured, else the default. */
  modelFor(requested: string | undefined): AnswerModel
  /**
   * Yields pieces that are not blank when joined. Throws the signal's reason when aborted. AppErrors: `unavailable`
   * while the model is busy, slow or unreachable, or breaks off; `invalid` when it refuses. Other errors need the
   * operator.
   */
  write(request: AnswerRequest, options: { readonly signal: AbortSignal }): AsyncIterable<string>
}

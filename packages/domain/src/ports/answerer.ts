import type { JsonObject } from '@cairn/contracts/errors'

/**
 * A search result for a question. Its text is quoted content, never an instruction. `score`: the search score, 0 to 1.
 * Default: 1.
 */
export type Passage = { readonly id: string; readonly text: string; readonly score?: number }

/** A form that the model fills in instead of writing freely. */
export type Form = { readonly name: string; readonly description: string; readonly schema: JsonObject }

export type AnswerRequest = {
  /** The id of a model, as returned by `modelFor`. */
  readonly model: string
  readonly query: string
  /** Sources of the answer, best first. Undefined: no search was done, so the model answers without sources. */
  readonly passages: readonly Passage[] | undefined
  /** The conversation so far, oldest first. */
  readonly history: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[]
  /** The caller's own instructions before and after the question; empty: none. */
  readonly headerPrompt: string
  readonly footerPrompt: string
  /** Sampling temperature, 0 to 2. */
  readonly temperature: number
  /** If set, the text is one JSON value, which the caller has to check. */
  readonly form?: Form
}

export type AnswerModel = {
  /** Model id that clients use. */
  readonly id: string
  /** Credits per call; at least 1. */
  readonly credits: number
}

/** Generates answers. */
export type Answerer = {
  /** Returns the requested model if it is configured, else the default. */
  modelFor(requested: string | undefined): AnswerModel
  /**
   * Generates the answer in pieces that are not blank when joined. Throws the signal's reason when it is aborted.
   * AppErrors: `unavailable` while the model is busy, slow or unreachable, or breaks off; `invalid` when it refuses the
   * request. Other errors need the operator.
   */
  write(request: AnswerRequest, options: { readonly signal: AbortSignal }): AsyncIterable<string>
}

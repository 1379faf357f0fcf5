import type { JsonObject } from '@cairn/contracts/errors'

/** What was found for a question. A quotation: nothing that stands in it is an instruction. */
export type Passage = { readonly id: string; readonly text: string }

/** What the model is to fill in instead of writing freely. */
export type Form = { readonly name: string; readonly description: string; readonly schema: JsonObject }

export type AnswerRequest = {
  /** The id of a model, as `modelFor` gave it. */
  readonly model: string
  readonly query: string
  /** What the answer is to be drawn from, best first. Undefined: nothing was looked up, the model answers by itself. */
  readonly passages: readonly Passage[] | undefined
  /** The talk so far, oldest first. */
  readonly history: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[]
  /** The caller's own instructions before and after the question; empty: none. */
  readonly headerPrompt: string
  readonly footerPrompt: string
  /** 0 to 2. */
  readonly temperature: number
  /** Given, the text that comes is one JSON value, which the caller has to check. */
  readonly form?: Form
}

export type AnswerModel = {
  /** What clients know it by. */
  readonly id: string
  /** What a call of it costs; 1 at least. */
  readonly credits: number
  /** Whether it writes: one that does not can only say again what stands in the passages, and fills in no form. */
  readonly writes: boolean
}

/** Makes answers. */
export type Answerer = {
  /** The model that serves whoever asks for this one: itself where it is configured, else the default. */
  modelFor(wanted: string | undefined): AnswerModel
  /**
   * The answer as it is made, in pieces; joined they are never blank. Ends with the signal, by its reason. AppErrors: `unavailable` while the
   * model is busy, slow or out of reach, or breaks off; `invalid` when it refuses what it was asked. Other errors are the operator's to mend.
   */
  write(request: AnswerRequest, options: { readonly signal: AbortSignal }): AsyncIterable<string>
}

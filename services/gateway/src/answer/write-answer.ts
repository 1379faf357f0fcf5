import { nothingFound } from '@cairn/contracts/answer-form'
import type { JsonObject } from '@cairn/contracts/errors'
import type { Answerer, AnswerRequest } from '@cairn/ports/answerer/port'
import { type Filled, filledIn } from './form.ts'
import type { Asker } from './hold-against-schema.ts'

const whole = async (pieces: AsyncIterable<string>): Promise<string> => {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

export type Written = { readonly text: string; readonly data?: JsonObject }

/** Prompts the model once more when its text does not fit the form, with the reason. */
const fillIn = async (
  answerer: Answerer,
  request: AnswerRequest & Required<Pick<AnswerRequest, 'form'>>,
  asker: Asker,
): Promise<JsonObject> => {
  const { form, query } = request
  const ask = async (next: AnswerRequest): Promise<{ readonly text: string; readonly filled: Filled }> => {
    const text = await whole(answerer.write(next, { signal: asker.signal }))
    return { text, filled: await filledIn(form, text, asker) }
  }
  const first = await ask(request)
  if ('value' in first.filled) return first.filled.value
  const { faults } = first.filled
  const again = await ask({
    ...request,
    history: [...request.history, { role: 'user', content: query }, { role: 'assistant', content: first.text }],
    query: `${query}\n\nThe JSON object you gave does not fit its schema:\n${faults}\nGive the whole object again, and nothing else.`,
  })
  if ('value' in again.filled) return again.filled.value
  throw new Error(`the answering model gave no structured data: ${again.filled.faults}`)
}

/** Writes the whole answer; with a form, the filled-in object too. */
export const writeAnswer = async (answerer: Answerer, request: AnswerRequest, asker: Asker): Promise<Written> => {
  const { form } = request
  if (!form) return { text: await whole(answerer.write(request, { signal: asker.signal })) }
  const data = await fillIn(answerer, { ...request, form }, asker)
  const { answer } = data
  return { text: typeof answer === 'string' ? answer : JSON.stringify(data), data }
}

/** Fills in the default form without a model: the text, and where it was found. */
export const formOfText = (text: string, ids: readonly string[]): JsonObject => ({
  answer: text,
  confidence: 0,
  sources: ids.map((id) => ({ id, relevance: 'medium' })),
})

export const emptyForm = formOfText(nothingFound, [])

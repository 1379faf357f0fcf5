import type { JsonObject } from '@cairn/contracts/errors'
import type { Answerer, AnswerRequest } from '@cairn/domain/ports/answerer'
import type { Requester } from './check-against-schema.ts'
import { type Filled, filledIn } from './form.ts'

const whole = async (pieces: AsyncIterable<string>): Promise<string> => {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

export type Written = { readonly text: string; readonly data?: JsonObject }

/** Prompts once more, with the reason, if the model's text does not fit the form. */
const fillIn = async (
  answerer: Answerer,
  request: AnswerRequest & Required<Pick<AnswerRequest, 'form'>>,
  requester: Requester,
): Promise<JsonObject> => {
  const { form, query } = request
  const prompt = async (next: AnswerRequest): Promise<{ readonly text: string; readonly filled: Filled }> => {
    const text = await whole(answerer.write(next, { signal: requester.signal }))
    return { text, filled: await filledIn(form, text, requester) }
  }
  const first = await prompt(request)
  if ('value' in first.filled) return first.filled.value
  const { faults } = first.filled
  const again = await prompt({
    ...request,
    history: [...request.history, { role: 'user', content: query }, { role: 'assistant', content: first.text }],
    query: `${query}\n\nYour JSON object does not match its schema:\n${faults}\nReturn the whole object again, and nothing else.`,
  })
  if ('value' in again.filled) return again.filled.value
  throw new Error(`the answering model gave no structured data: ${again.filled.faults}`)
}

/** Returns `data`, the filled-in object, if there is a form. */
export const writeAnswer = async (
  answerer: Answerer,
  request: AnswerRequest,
  requester: Requester,
): Promise<Written> => {
  const { form } = request
  if (!form) return { text: await whole(answerer.write(request, { signal: requester.signal })) }
  const data = await fillIn(answerer, { ...request, form }, requester)
  const { answer } = data
  return { text: typeof answer === 'string' ? answer : JSON.stringify(data), data }
}

/** Fills in the default form without a model. */
export const formOfText = (
  text: string,
  sources: readonly { readonly id: string; readonly namespace: string }[],
): JsonObject => ({
  answer: text,
  confidence: 0,
  sources: sources.map(({ id, namespace }) => ({ id, namespace, relevance: 'medium' })),
})

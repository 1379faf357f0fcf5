import { operations } from '@cairn/contracts/operations'
import type { Client } from './client.ts'

export type SentEvent = { readonly event: string; readonly data: Readonly<Record<string, unknown>> }

const parseFrame = (frame: string): SentEvent => {
  const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
  return { event, data: JSON.parse(data) as SentEvent['data'] }
}

/** The events of an answer. Comments are left out; anything else that is no event is a failure. */
export const readEvents = async (
  api: Client,
  body: Readonly<Record<string, unknown>>,
): Promise<{ readonly response: Response; readonly events: readonly SentEvent[] }> => {
  const response = await api.raw(operations.answer, { body })
  if (response.status !== 200) throw new Error(`the answer is ${response.status}: ${await response.text()}`)
  const frames = (await response.text()).split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'))
  return { response, events: frames.map(parseFrame) }
}

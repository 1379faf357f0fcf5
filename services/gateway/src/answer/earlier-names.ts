import { isUserObject } from '@cairn/contracts/documents/metadata'
import type { Call } from '../call.ts'
import { markDeprecated } from '../mark-deprecated.ts'

const renamed = new Map([
  ['aiModel', 'ai_model'],
  ['chatHistory', 'chat_history'],
  ['headerPrompt', 'header_prompt'],
  ['footerPrompt', 'footer_prompt'],
  ['structuredResponse', 'structured_response'],
])
const renamedInForm = new Map([
  ['toolName', 'tool_name'],
  ['toolDescription', 'tool_description'],
])

export const markAnswerNamesDeprecated = (call: Pick<Call, 'setHeader'>): void =>
  markDeprecated(call, `${[...renamed.keys()].join(', ')} are deprecated; send ${[...renamed.values()].join(', ')}`)

/** The current name wins over the earlier one. Other fields stay: a history or a schema is the client's own. */
const rename = (value: Readonly<Record<string, unknown>>, names: ReadonlyMap<string, string>) => {
  const earlier = Object.keys(value).filter((name) => names.has(name))
  if (earlier.length === 0) return value
  const entries = Object.entries(value)
  const present = Object.fromEntries(entries.filter(([name]) => !names.has(name)))
  return { ...Object.fromEntries(earlier.map((name) => [names.get(name) as string, value[name]])), ...present }
}

/** Recognizes earlier names only if `allowed`. `isEarlier`: the body had some. */
export const presentAnswerNames = (
  body: unknown,
  allowed: boolean,
): { readonly body: unknown; readonly isEarlier: boolean } => {
  if (!isUserObject(body) || !allowed) return { body, isEarlier: false }
  const outer = rename(body, renamed)
  const form = outer['structured_response']
  const inner = isUserObject(form) ? rename(form, renamedInForm) : form
  if (outer === body && inner === form) return { body, isEarlier: false }
  return { body: inner === form ? outer : { ...outer, structured_response: inner }, isEarlier: true }
}

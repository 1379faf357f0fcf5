import { defaultForm } from '@cairn/contracts/api/answer-form'
import { invalidField } from '@cairn/contracts/api/failures'
import type { AppError, JsonObject } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { Form } from '@cairn/domain/ports/answerer'
import { type CheckResult, checkAgainstSchema, type Requester } from './check-against-schema.ts'

/** A pattern can make a check run forever. */
const refusedKeywords = ['pattern', 'patternProperties']
const maxUnits = 1_000_000

const refused = (requirement: string): AppError => invalidField('structured_response.schema', requirement)

const keywordsOf = function* (schema: unknown): Generator<readonly [name: string, value: unknown]> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, value] of Object.entries(schema)) {
    if (!Array.isArray(schema)) yield [name, value]
    // Names of properties are not keywords.
    if (name === 'properties' && typeof value === 'object' && value !== null) {
      for (const property of Object.values(value)) yield* keywordsOf(property)
    } else if (name !== 'enum' && name !== 'const' && name !== 'default' && name !== 'examples')
      yield* keywordsOf(value)
  }
}

const faultsOf = (result: CheckResult): readonly string[] => {
  if (result.outcome === 'unusable')
    throw refused("can't be used: it is not a JSON Schema, or it has missing or endless references")
  if (result.outcome === 'late') throw refused('takes too long to evaluate: use fewer nested $ref')
  return result.outcome === 'faults' ? result.faults : []
}

const checkSchema = async (schema: Readonly<Record<string, unknown>>, requester: Requester): Promise<JsonObject> => {
  if (JSON.stringify(schema).length > limits.answerSchemaLength)
    throw refused(`must have at most ${limits.answerSchemaLength} characters`)
  if (schema['type'] !== 'object') throw refused('must be of type object')
  for (const [name, value] of keywordsOf(schema)) {
    if (refusedKeywords.includes(name)) throw refused(`must not use ${name}`)
    if (/^\$(ref|dynamicRef)$/.test(name) && !(typeof value === 'string' && value.startsWith('#')))
      throw refused(`must refer to itself only: ${name} must begin with #`)
  }
  faultsOf(await checkAgainstSchema(schema, {}, requester))
  return schema as JsonObject
}

type Sent = {
  readonly schema?: Readonly<Record<string, unknown>> | undefined
  readonly tool_name: string
  readonly tool_description: string
}

/** Checks that the form is usable. `isOwn`: the schema is the client's own. */
export const formOf = async (
  { schema, tool_name: name, tool_description: description }: Sent,
  requester: Requester,
): Promise<{ readonly form: Form; readonly isOwn: boolean }> => ({
  form: {
    name,
    description,
    schema: schema ? await checkSchema(schema, requester) : (defaultForm.schema as unknown as JsonObject),
  },
  isOwn: schema !== undefined,
})

export type Filled = { readonly value: JsonObject } | { readonly faults: string }

const fence = '```'

/** Many models put the requested object into a code fence. */
const withoutFence = (text: string): string =>
  text.startsWith(fence) && text.endsWith(fence) && text.length >= 2 * fence.length
    ? text
        .slice(fence.length, -fence.length)
        .replace(/^json\b/, '')
        .trim()
    : text

/** Returns why the text does not fit, for the model. AppError `invalid` when the schema is at fault. */
export const filledIn = async ({ schema }: Form, written: string, requester: Requester): Promise<Filled> => {
  if (written.length > maxUnits) return { faults: 'It is too long.' }
  const text = withoutFence(written.trim())
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { faults: 'It is not valid JSON.' }
  }
  const faults = faultsOf(await checkAgainstSchema(schema, value, requester))
  return faults.length === 0 ? { value: value as JsonObject } : { faults: faults.join('\n') }
}

import { defaultForm } from '@cairn/contracts/answer-form'
import type { AppError, JsonObject } from '@cairn/contracts/errors'
import { invalidField } from '@cairn/contracts/failures'
import { limits } from '@cairn/contracts/limits'
import type { Form } from '@cairn/ports/answerer/port'
import { Validator } from '@cfworker/json-schema'

/** Whoever writes them can make a check take for ever. */
const refusedKeywords = ['pattern', 'patternProperties']
const mostFaults = 10
const mostUnits = 1_000_000

const refused = (requirement: string): AppError => invalidField('structured_response.schema', requirement)

const keywordsOf = function* (schema: unknown): Generator<readonly [name: string, value: unknown]> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, value] of Object.entries(schema)) {
    if (!Array.isArray(schema)) yield [name, value]
    // Names of properties are no keywords.
    if (name === 'properties' && typeof value === 'object' && value !== null) {
      for (const property of Object.values(value)) yield* keywordsOf(property)
    } else if (name !== 'enum' && name !== 'const' && name !== 'default' && name !== 'examples') yield* keywordsOf(value)
  }
}

const validatorOf = (schema: object) => new Validator(schema, '2020-12', false)

const checkSchema = (schema: Readonly<Record<string, unknown>>): JsonObject => {
  if (JSON.stringify(schema).length > limits.answerSchemaLength) throw refused(`must have at most ${limits.answerSchemaLength} characters`)
  if (schema['type'] !== 'object') throw refused('must be of type object')
  for (const [name, value] of keywordsOf(schema)) {
    if (refusedKeywords.includes(name)) throw refused(`must not use ${name}`)
    if (/^\$(ref|dynamicRef)$/.test(name) && !(typeof value === 'string' && value.startsWith('#')))
      throw refused(`must refer to itself only: ${name} must begin with #`)
  }
  try {
    validatorOf(schema).validate({})
  } catch (error) {
    // A reference to nothing, or one that leads back to itself.
    throw refused(`can't be used: ${error instanceof Error ? error.message.split('\n', 1)[0] : 'it has no end'}`)
  }
  return schema as JsonObject
}

type Sent = {
  readonly schema?: Readonly<Record<string, unknown>> | undefined
  readonly tool_name: string
  readonly tool_description: string
}

/** The form a caller asks for, which is known to be usable. `isOwn`: with a schema of the caller's own. */
export const formOf = ({
  schema,
  tool_name: name,
  tool_description: description,
}: Sent): { readonly form: Form; readonly isOwn: boolean } => ({
  form: { name, description, schema: schema ? checkSchema(schema) : (defaultForm.schema as unknown as JsonObject) },
  isOwn: schema !== undefined,
})

export type Filled = { readonly value: JsonObject } | { readonly faults: string }

/** What a model wrote, as the form wants it; or why it does not fit, in words for the model. */
export const filledIn = ({ schema }: Form, written: string): Filled => {
  // Many put it into a block of code.
  const text = written.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, '$1')
  if (text.length > mostUnits) return { faults: 'It is too long.' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { faults: 'It is not valid JSON.' }
  }
  const { valid, errors } = validatorOf(schema).validate(value)
  if (valid) return { value: value as JsonObject }
  return {
    faults: errors
      .slice(0, mostFaults)
      .map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
      .join('\n'),
  }
}

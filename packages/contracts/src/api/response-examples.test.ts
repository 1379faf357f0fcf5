import { expect, it } from 'vitest'
import type { Json } from '../json/json.ts'
import { labelOf } from '../text/labels.ts'
import { buildOpenApi } from './openapi.ts'
import { operationList } from './operations.ts'
import { responseExamples } from './response-examples.ts'

const document = buildOpenApi(operationList)
const examples = Object.entries(responseExamples).flatMap(([operationId, byStatus]) =>
  Object.entries(byStatus).map(([status, value]) => [operationId, Number(status), value] as const),
)

const maps = function* (value: Json | undefined): Generator<{ readonly [key: string]: Json }> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as { readonly [key: string]: Json }
  for (const inner of Object.values(value)) yield* maps(inner)
}

/** Returns the JSON of a response in the document: its schema, with references resolved once each, and its example. */
const mediaOf = (operationId: string, status: number) => {
  for (const methods of Object.values(document.paths))
    for (const row of Object.values(methods)) {
      const { operationId: id, responses } = row as never as {
        operationId: string
        responses: Record<number, { content?: Record<string, { schema: Json; example?: Json }> }>
      }
      if (id === operationId) return responses[status]?.content?.['application/json']
    }
  return undefined
}
const hasScoreAndLabel = (schema: Json, seen = new Set<string>()): boolean => {
  for (const map of maps(schema)) {
    const properties = map['properties'] as { readonly [key: string]: Json } | undefined
    if (properties !== undefined && 'score' in properties && 'label' in properties) return true
    const name = typeof map['$ref'] === 'string' ? (map['$ref'].split('/').at(-1) ?? '') : ''
    if (name === '' || seen.has(name)) continue
    seen.add(name)
    if (hasScoreAndLabel(document.components.schemas[name] ?? null, seen)) return true
  }
  return false
}

it.each(examples)(
  'the example of %s %i is one that the operation can return, and is in the document',
  (id, status, value) => {
    const { body, instead } = operationList.find(({ operationId }) => operationId === id)?.responses[status] ?? {}
    const results = [body, instead].flatMap((schema) => (schema ? [schema.safeParse(value)] : []))
    expect(
      results.some(({ success }) => success),
      JSON.stringify(results.map(({ error }) => error?.issues)),
    ).toBe(true)
    expect(mediaOf(id, status)?.example).toEqual(value)
  },
)

it('no example contradicts itself, and each response with scores and labels has one', () => {
  for (const [id, , value] of examples)
    for (const { score, label } of maps(value))
      if (typeof score === 'number' && label !== undefined) expect(label, id).toBe(labelOf(score))
  for (const { operationId, responses } of operationList)
    for (const status of Object.keys(responses).map(Number)) {
      const media = mediaOf(operationId, status)
      if (media !== undefined && hasScoreAndLabel(media.schema)) expect(media.example, operationId).toBeDefined()
    }
})

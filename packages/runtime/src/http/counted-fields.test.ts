import { operationList } from '@cairn/contracts/api/operations'
import { expect, it } from 'vitest'
import { parse } from './parse.ts'

const sample = (field: string, index: number): unknown =>
  ({ documents: { id: `d${index}`, text: 'short' }, vectors: { id: `v${index}`, vector: [1] } })[field] ?? `n${index}`

const counted = operationList.flatMap(({ operationId, request }) =>
  Object.entries(request.body?.maxElements ?? {}).map(([field, { elements, rule }]) => ({
    operationId,
    field,
    elements,
    rule,
    schema: request.body?.schema,
  })),
)

it.each(counted)(
  '$operationId says of $field the same before it is parsed and after',
  ({ field, elements, rule, schema }) => {
    const bodyOf = (count: number) => ({
      query: 'x',
      [field]: Array.from({ length: count }, (_, index) => sample(field, index)),
    })
    if (!schema) throw new Error('a body without a schema')
    expect(() => parse(schema, bodyOf(elements))).not.toThrow()
    expect(() => parse(schema, bodyOf(elements + 1))).toThrowError(
      expect.objectContaining({
        message: `${field} ${rule} (given: an array of ${elements + 1})`,
        body: { details: { field, requirement: rule } },
      }),
    )
  },
)

it('counts documents, vectors, ids and namespaces', () => {
  expect(new Set(counted.map(({ field }) => field))).toEqual(new Set(['documents', 'vectors', 'ids', 'namespaces']))
})

import * as z from 'zod'
import { dateOf, type Filter, operators } from '../documents/metadata-filter.ts'
import { limits } from '../limits.ts'
import { codePointLength } from '../text/text.ts'

const isUsable = (value: unknown): boolean =>
  typeof value !== 'string' || (value.isWellFormed() && codePointLength(value) <= limits.filterTextLength)
const isPrecise = (value: unknown): boolean => typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER
const preciseRule =
  'must be within ±(2^53−1): larger numbers are compared rounded, so different ones would be equal; store and compare them as text'
const textJson = { type: 'string', maxLength: limits.filterTextLength }
const numberJson = { type: 'number', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const scalarRule = `must be true, false, a number within ±(2^53−1) or a text of at most ${limits.filterTextLength} characters`
const scalar = z
  .union([z.string(), z.number(), z.boolean()], scalarRule)
  .refine(isUsable, scalarRule)
  .refine(isPrecise, preciseRule)
  .meta({ id: 'FilterValue', anyOf: [textJson, numberJson, { type: 'boolean' }] })

const boundRule = 'must be a number within ±(2^53−1) or a date such as 2026-03-01 or 2026-03-01T12:00:00Z'
const bound = z
  .union([z.string(), z.number()], boundRule)
  .refine((value) => typeof value === 'number' || dateOf(value) !== undefined, boundRule)
  .refine(isPrecise, preciseRule)
  .meta({ anyOf: [numberJson, { type: 'string', format: 'date' }, { type: 'string', format: 'date-time' }] })
const valuesRule = `must be an array of 1 to ${limits.filterValues} values`
const values = z.array(scalar, valuesRule).min(1, valuesRule).max(limits.filterValues, valuesRule)
const textRule = `must be a text of 1 to ${limits.filterTextLength} characters`
const nonEmptyText = z
  .string(textRule)
  .min(1, textRule)
  .refine(isUsable, textRule)
  .meta({ maxLength: limits.filterTextLength })
const filtersRule = `must be an array of 1 to ${limits.filterConditions} filters`
const objectRule = 'must be a filter: an object with `and`, `or`, `not`, or `key` and operators'

/** Characters of an unknown operator in an error message. */
const shownLength = 40
const groups = ['and', 'or', 'not', 'key'] as const

const isGiven = (filter: Filter, name: keyof Filter): boolean => filter[name] !== undefined

const node: z.ZodType<Filter, unknown> = z.lazy(() => filterObject)

const filterObject: z.ZodType<Filter, unknown> = z
  .strictObject(
    {
      and: z.array(node, filtersRule).min(1, filtersRule).max(limits.filterConditions, filtersRule).optional(),
      or: z.array(node, filtersRule).min(1, filtersRule).max(limits.filterConditions, filtersRule).optional(),
      not: node.optional(),
      key: nonEmptyText.optional().describe('A key of the metadata. The operators beside it must all hold.'),
      eq: scalar.optional(),
      ne: scalar.optional().describe('Also true without the key.'),
      gt: bound.optional(),
      gte: bound.optional(),
      lt: bound.optional(),
      lte: bound.optional(),
      in: values.optional(),
      nin: values.optional().describe('Also true without the key.'),
      any: values.optional().describe('An element of the array is one of these.'),
      all: values.optional().describe('Each of these is an element of the array.'),
      exists: z.boolean('must be true or false').optional().describe('The key is there and is not null.'),
      prefix: nonEmptyText.optional(),
      // Every text has the empty text as a part.
      contains: scalar
        .refine((value) => value !== '', 'must not be an empty text')
        .meta({ anyOf: [{ ...textJson, minLength: 1 }, numberJson, { type: 'boolean' }] })
        .optional()
        .describe('A part of a text, or an element of an array.'),
    },
    {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys'
          ? `has an unknown operator: ${(keys as string[]).join(', ').slice(0, shownLength)}`
          : objectRule,
    },
  )
  .superRefine((filter, context) => {
    const fault = (message: string, path: string[] = []) =>
      context.addIssue({ code: 'custom', message, path, input: filter })
    const given = groups.filter((name) => isGiven(filter, name))
    const used = operators.filter((name) => isGiven(filter, name))
    if (given.length !== 1) fault('must have exactly one of `and`, `or`, `not` and `key`')
    else if (given[0] !== 'key' && used.length > 0) fault('is an operator and needs `key` beside it', used.slice(0, 1))
    else if (given[0] === 'key' && used.length === 0)
      fault(`must have an operator beside \`key\`: ${operators.join(', ')}`)
  })
  .meta({
    id: 'Filter',
    'x-rules': [
      {
        anyOf: [
          { required: ['and'], maxProperties: 1 },
          { required: ['or'], maxProperties: 1 },
          { required: ['not'], maxProperties: 1 },
          { required: ['key'], minProperties: 2, properties: { and: false, or: false, not: false } },
        ],
      },
    ],
    description:
      'A filter on metadata: `and`, `or` or `not` with other filters, or `key` with operators. Texts are compared exactly; in `page` and the other keys of chunks that hold a number, a whole number and its text are the same. `gt`, `gte`, `lt` and `lte` compare numbers, or dates in ISO 8601. Of an array, one element must fit.',
    examples: [{ and: [{ key: 'year', gte: 2020, lt: 2026 }, { not: { key: 'tags', any: ['draft', 'old'] } }] }],
  })

type Size = { readonly conditions: number; readonly depth: number }

/** `conditions`: number of `key`s. */
const sizeOf = ({ and = [], or = [], not }: Filter): Size => {
  const inner = [...and, ...or, ...(not ? [not] : [])].map(sizeOf)
  if (inner.length === 0) return { conditions: 1, depth: 1 }
  return {
    conditions: inner.reduce((sum, { conditions }) => sum + conditions, 0),
    depth: 1 + Math.max(...inner.map(({ depth }) => depth)),
  }
}

export const sentFilter = node.superRefine((filter, context) => {
  const { conditions, depth } = sizeOf(filter)
  const fault = (message: string) => context.addIssue({ code: 'custom', message, input: filter })
  if (conditions > limits.filterConditions) fault(`must have at most ${limits.filterConditions} conditions`)
  if (depth > limits.filterDepth) fault(`must be nested at most ${limits.filterDepth} deep`)
})

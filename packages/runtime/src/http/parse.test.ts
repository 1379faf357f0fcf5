import { isAppError } from '@cairn/contracts/errors'
import { createKeyBody, updateKeyBody } from '@cairn/contracts/http/admin'
import { fetchTextDataQuery, getDocumentsBody, uploadDocumentsBody } from '@cairn/contracts/http/documents'
import { createNamespaceBody } from '@cairn/contracts/http/namespaces'
import { searchBody } from '@cairn/contracts/http/search'
import { uploadVectorsBody } from '@cairn/contracts/http/vectors'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { parse } from './parse.ts'

const refusal = (schema: z.ZodType, value: unknown) => {
  try {
    parse(schema, value)
  } catch (error) {
    if (isAppError(error, 'invalid'))
      return { message: error.message, ...(error.body['details'] as { field: string; requirement: string }) }
    throw error
  }
  return undefined
}
const many = (count: number) => Array.from({ length: count }, (_, id) => ({ id }))

it('gives back what the schema makes of the value', () => {
  expect(parse(getDocumentsBody, { ids: [1, 'a'], extra: true })).toEqual({ ids: ['1', 'a'] })
})

it.each<[z.ZodType, unknown, string]>([
  [uploadDocumentsBody, {}, 'documents must be an array of 1 to 100 documents (it is missing)'],
  [uploadDocumentsBody, { documents: [] }, 'documents must be an array of 1 to 100 documents (given: an array of 0)'],
  [
    uploadDocumentsBody,
    { documents: many(101) },
    'documents must be an array of 1 to 100 documents (given: an array of 101)',
  ],
  [
    uploadDocumentsBody,
    { documents: { length: 1 } },
    'documents must be an array of 1 to 100 documents (given: an object)',
  ],
  [uploadDocumentsBody, { documents: [{ id: 1 }, 'x'] }, 'documents[1] must be an object (given: "x")'],
  [
    uploadDocumentsBody,
    { documents: [{ text: 'x' }] },
    'documents[0].id must be a non-empty string or a number (it is missing)',
  ],
  [
    uploadDocumentsBody,
    { documents: [{ id: '' }] },
    'documents[0].id must be a non-empty string or a number (given: "")',
  ],
  [uploadDocumentsBody, null, 'The request body must be an object (given: null)'],
  [uploadDocumentsBody, [], 'The request body must be an object (given: an array of 0)'],
  [
    uploadVectorsBody,
    { vectors: many(1_001) },
    'vectors must be an array of 1 to 1000 vectors (given: an array of 1001)',
  ],
  [getDocumentsBody, {}, 'The ids array is required and cannot be empty'],
  [getDocumentsBody, { ids: [] }, 'The ids array is required and cannot be empty'],
  [getDocumentsBody, { ids: { $ne: null } }, 'The ids array is required and cannot be empty'],
  [
    getDocumentsBody,
    { ids: many(101).map(({ id }) => id) },
    'ids must have at most 100 elements (given: an array of 101)',
  ],
  [getDocumentsBody, { ids: ['a', { $ne: null }] }, 'ids[1] must be a non-empty string or a number (given: an object)'],
  [
    getDocumentsBody,
    { ids: ['x'.repeat(600)] },
    'ids[0] must be at most 512 bytes of UTF-8 (given: a string of 600 characters)',
  ],
  [fetchTextDataQuery, { limit: '101' }, 'limit must be an integer from 1 to 100 (given: "101")'],
  [fetchTextDataQuery, { limit: ['1', '2'] }, 'limit must be an integer from 1 to 100 (given: an array of 2)'],
  [createNamespaceBody, { namespace_name: 'a', type: 'other' }, 'type must be "text" or "vector" (given: "other")'],
  [createNamespaceBody, { namespace_name: 'a' }, 'type must be "text" or "vector" (it is missing)'],
  [
    createNamespaceBody,
    { namespace_name: 'a b', type: 'text' },
    'namespace_name must be 1 to 128 characters, only letters, digits, hyphens and underscores (given: "a b")',
  ],
  [createNamespaceBody, { type: 'text' }, 'namespace_name must be a string (it is missing)'],
  [
    createNamespaceBody,
    { namespace_name: 'a', type: 'vector' },
    'vector_dimension must be an integer from 1 to 4096 (it is missing)',
  ],
  [
    createNamespaceBody,
    { namespace_name: 'a', type: 'text', vector_dimension: 3 },
    'vector_dimension must be absent or null when type is "text" (given: 3)',
  ],
  [
    searchBody,
    { query: 'x', namespaces: ['a'], kiosk_mode: true },
    'threshold is required when kiosk_mode is true (it is missing)',
  ],
  [
    searchBody,
    { query: [1, null], namespaces: ['a'] },
    'query must be a usable vector: vector[1] must be a number (given: an array of 2)',
  ],
  [searchBody, { query: 'x', namespaces: ['a'], top_k: 1.5 }, 'top_k must be a positive integer (given: 1.5)'],
  [updateKeyBody, { state: 'gone' }, 'state must be "active" or "inactive" or "disabled" or "revoked" (given: "gone")'],
  [createKeyBody, { name: 'k', scopes: ['root'] }, 'scopes[0] must be "read" or "write" or "admin" (given: "root")'],
])('makes one sentence of the first fault %#', (schema, value, message) => {
  expect(refusal(schema, value)?.message).toBe(message)
})

it('tells programs the field and what it must be', () => {
  expect(refusal(fetchTextDataQuery, { limit: '0' })).toMatchObject({
    field: 'limit',
    requirement: 'must be an integer from 1 to 100',
  })
  expect(refusal(getDocumentsBody, {})).toMatchObject({
    field: 'ids',
    requirement: 'The ids array is required and cannot be empty',
  })
})

it('has words for the bounds of a schema without texts of its own', () => {
  const schema = z.object({
    a: z.string().min(2).max(3).optional(),
    b: z.number().min(1).optional(),
    c: z.array(z.boolean()).max(1).optional(),
  })
  expect(refusal(schema, { a: 'x' })?.message).toBe('a must have at least 2 characters (given: "x")')
  expect(refusal(schema, { b: 0 })?.message).toBe('b must be at least 1 (given: 0)')
  expect(refusal(schema, { c: [true, true] })?.message).toBe('c must have at most 1 elements (given: an array of 2)')
  expect(refusal(schema, { c: ['x'] })?.message).toBe('c[0] must be true or false (given: "x")')
})

it('never repeats a long value and never fails in another way', () => {
  const schemas = [uploadDocumentsBody, getDocumentsBody, searchBody, createNamespaceBody, fetchTextDataQuery]
  const body = fc.record(
    {
      documents: fc.anything(),
      ids: fc.anything(),
      query: fc.anything(),
      namespaces: fc.anything(),
      type: fc.anything(),
      limit: fc.anything(),
    },
    { requiredKeys: [] },
  )
  const isShort = (value: unknown) => schemas.every((schema) => (refusal(schema, value)?.message.length ?? 0) < 250)
  expect(() => fc.assert(fc.property(fc.oneof(body, fc.anything()), isShort))).not.toThrow()
})

import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { buildOpenApi, type Json } from './openapi.ts'
import { operationList, operations } from './operations.ts'

const document = buildOpenApi(operationList)

const walk = function* (value: Json): Generator<{ readonly [key: string]: Json }> {
  if (Array.isArray(value)) for (const inner of value) yield* walk(inner)
  else if (typeof value === 'object' && value !== null) {
    const map = value as { readonly [key: string]: Json }
    yield map
    for (const inner of Object.values(map)) yield* walk(inner)
  }
}
const all = [...walk(document as unknown as Json)]

const row = (path: string, method: string): { readonly [key: string]: Json } => document.paths[path]?.[method] as never
const schema = (name: string): unknown => document.components.schemas[name]

describe('the OpenAPI document', () => {
  it('has every operation once', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((each) => (each as { operationId: string }).operationId),
    )
    expect(ids.toSorted()).toEqual(operationList.map(({ operationId }) => operationId).toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('resolves every reference', () => {
    const references = all.flatMap((map) => (typeof map['$ref'] === 'string' ? [map['$ref']] : []))
    expect(references.length).toBeGreaterThan(100)
    for (const reference of references) {
      const [root, kind = '', name = ''] = reference.replace('#/', '').split('/')
      expect(root, reference).toBe('components')
      expect(document.components[kind]?.[name], reference).toBeDefined()
    }
  })

  it('holds nothing that only zod understands', () => {
    for (const key of ['$defs', '$schema', 'id', '~standard']) {
      const owners = all.filter((map) => key in map && 'type' in map && typeof map[key] === 'string')
      expect(owners, key).toEqual([])
    }
  })

  it('declares the parameters of every path', () => {
    for (const { path, method } of operationList) {
      const declared = ((row(path, method)['parameters'] ?? []) as { name: string; in: string }[]).filter(
        (each) => each.in === 'path',
      )
      expect(
        declared.map(({ name }) => `{${name}}`),
        path,
      ).toEqual(path.match(/\{\w+\}/g) ?? [])
    }
  })

  it('marks a query parameter as required when its schema does not accept undefined', () => {
    const query = z.object({ needed: z.string(), free: z.string().optional(), filled: z.string().default('x') })
    const { path, method } = operations.listNamespaces
    const changed = buildOpenApi([{ ...operations.listNamespaces, request: { query } }]).paths[path]?.[method]
    expect(changed).toMatchObject({
      parameters: [
        { name: 'needed', required: true },
        { name: 'free', required: false },
        { name: 'filled', required: false },
      ],
    })
  })

  it('describes every tag (if not: add it to `tags` in openapi.ts)', () => {
    const described = document.tags.map(({ name }) => name)
    for (const { tag, operationId } of operationList) expect(described, operationId).toContain(tag)
  })

  it('asks for the right key', () => {
    expect(row('/v1/search', 'post')['security']).toEqual([{ ApiKey: [] }])
    expect(row('/admin/v1/accounts', 'get')['security']).toEqual([{ AdminKey: [] }])
    expect(row('/livez', 'get')['security']).toEqual([])
  })

  it('says of every operation with a key that it may answer 401, 403, 429, 500 and 503', () => {
    for (const { path, method, auth } of operationList) {
      if (auth !== 'key') continue
      expect(Object.keys(row(path, method)['responses'] ?? {}), path).toEqual(
        expect.arrayContaining(['401', '403', '429', '500', '503']),
      )
    }
  })

  it('keeps the bounds of what is sent', () => {
    expect(schema('NamespaceName')).toMatchObject({ type: 'string', pattern: '^[A-Za-z0-9_-]{1,128}$' })
    expect(schema('UploadDocuments')).toMatchObject({
      properties: { documents: { minItems: 1, maxItems: 100 } },
      required: ['documents'],
    })
    expect(schema('SentDocument')).toMatchObject({ required: ['id'], additionalProperties: true })
    expect(schema('DeleteItems')).toMatchObject({ properties: { ids: { minItems: 1, maxItems: 1_000 } } })
    expect(schema('Search')).toMatchObject({
      required: ['query', 'namespaces'],
      properties: { top_k: { type: 'integer', minimum: 1, default: 10 } },
    })
    expect(row('/v1/namespaces/{namespace_name}/documents/fetch-text-data', 'get')['parameters']).toContainEqual(
      expect.objectContaining({ name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100, default: 100 } }),
    )
  })

  it('is the same each time', () => {
    expect(JSON.stringify(buildOpenApi(operationList))).toBe(JSON.stringify(document))
  })
})

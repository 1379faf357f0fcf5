import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { edgeOperations } from '../http/edge.ts'
import type { Json } from '../json/json.ts'
import { buildOpenApi } from './openapi.ts'
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

  it('labels the operations that the Moorcheh API does not have, under one tag as all others', () => {
    const rows = Object.values(document.paths).flatMap(
      (methods) => Object.values(methods) as { operationId: string; tags: string[]; 'x-badges'?: { name: string }[] }[],
    )
    for (const { tags } of rows) expect(tags).toHaveLength(1)
    const labels = ({ 'x-badges': badges = [] }: (typeof rows)[number]) => badges.map(({ name }) => name)
    expect(rows.filter((each) => labels(each).length === 0).map(({ operationId }) => operationId)).toEqual([
      ...['createNamespace', 'listNamespaces', 'deleteNamespace'],
      ...['uploadDocuments', 'getDocuments', 'fetchTextData', 'deleteDocuments', 'uploadVectors', 'deleteVectors'],
      ...['createUploadUrl', 'uploadFile', 'listFiles', 'deleteFiles', 'search', 'answer'],
    ])
    expect(new Set(rows.flatMap(labels))).toEqual(new Set(['Cairn']))
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

type Map = { readonly [key: string]: Json }
const isMap = (value: Json | undefined): value is Map =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const unions = ['anyOf', 'oneOf', 'allOf', 'not']
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Drops examples and defaults: their content is not a schema. */
const withoutExamples = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutExamples)
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !['examples', 'example', 'default'].includes(key))
      .map(([key, inner]) => [key, withoutExamples(inner)]),
  )
}
const documents = {
  service: document,
  'edge store': buildOpenApi(Object.values(edgeOperations)),
}

// Client generators support only a part of JSON Schema. Each rule below excludes something that breaks some generator.
describe.each(Object.entries(documents))('the document of the %s, for generators', (_, published) => {
  const maps = [...walk(withoutExamples(published as unknown as Json))]
  const objects = maps.filter((map) => isMap(map['properties']))

  it('has no combination beside the properties of an object', () => {
    expect(objects.length).toBeGreaterThan(15)
    expect(objects.filter((map) => unions.some((name) => name in map))).toEqual([])
  })

  it('combines only whole schemas', () => {
    const parts = maps.flatMap((map) => unions.flatMap((name) => map[name] ?? []))
    for (const part of parts.flat() as Json[])
      expect(isMap(part) && ('$ref' in part || 'type' in part), JSON.stringify(part)).toBe(true)
  })

  it('names in a union of objects the property that tells them apart', () => {
    for (const map of maps.filter((each) => 'oneOf' in each)) {
      const { propertyName, mapping } = map['discriminator'] as {
        propertyName: string
        mapping: Record<string, string>
      }
      expect(propertyName).toBeTypeOf('string')
      expect(Object.values(mapping).map(($ref) => ({ $ref }))).toEqual(map['oneOf'])
    }
  })

  it('has no two properties that differ only in case style', () => {
    for (const { properties } of objects) {
      const names = Object.keys(properties as Map).map(snakeCase)
      expect(new Set(names).size, names.join(', ')).toBe(names.length)
    }
  })

  it('has no type that is only null, and no constant that is a boolean', () => {
    expect(maps.filter((map) => map['type'] === 'null')).toEqual([])
    expect(maps.filter((map) => typeof map['const'] === 'boolean')).toEqual([])
  })

  it('has only schemas that are objects', () => {
    for (const { properties } of objects)
      for (const [name, property] of Object.entries(properties as Map)) expect(isMap(property), name).toBe(true)
  })

  it('names a server', () => {
    expect(published.servers).toEqual([{ url: '/' }])
  })

  it('has no default in a response, because it would make an optional field required', () => {
    const reachable = (value: Json, seen: Set<string>): Map[] =>
      [...walk(value)].flatMap((map) => {
        const name = typeof map['$ref'] === 'string' ? map['$ref'].replace('#/components/schemas/', '') : undefined
        if (name === undefined || seen.has(name)) return [map]
        seen.add(name)
        return [map, ...reachable(published.components.schemas[name] ?? null, seen)]
      })
    for (const methods of Object.values(published.paths))
      for (const one of Object.values(methods)) {
        const found = reachable((one as { responses: Json }).responses, new Set())
        expect(found.filter((map) => 'default' in map)).toEqual([])
      }
  })

  it('holds nothing of how it was published', () => {
    const keys = maps.flatMap((map) => Object.keys(map)).filter((key) => key.startsWith('x-'))
    expect(keys.filter((key) => key !== 'x-request-id' && key !== 'x-badges')).toEqual([])
  })
})

describe('the published document', () => {
  it('leaves out the names of earlier clients, except those of the specification', () => {
    for (const name of ['UploadUrl', 'DeleteFiles', 'FileDeletion', 'Answered'])
      expect(Object.keys((schema(name) as { properties: Map }).properties).join()).not.toMatch(/[A-Z]/)
    expect(schema('FileUploaded')).toMatchObject({ required: expect.arrayContaining(['fileName', 'fileSize']) })
    const upload = operations.createUploadUrl.responses[200].body.parse({
      ...{ upload_url: 'u', key: 'k', content_type: 'c', expires_in: 1, method: 'PUT', hint: '' },
      ...{ uploadUrl: 'u', contentType: 'c', expiresIn: 1 },
    })
    expect(upload).toHaveProperty('uploadUrl')
  })

  it('types what is sent', () => {
    expect(schema('SentDocument')).toMatchObject({ properties: { text: { type: 'string' } } })
    const names = (row('/v1/namespaces/{namespace_name}/delete-file', 'delete')['parameters'] as Map[])[1]
    expect(names).toMatchObject({ name: 'file_name', schema: { type: 'array', items: { type: 'string' } } })
    expect(schema('CreateTextNamespace')).not.toHaveProperty('properties.vector_dimension')
  })

  it('has a nullable reference as one schema with two types', () => {
    expect(schema('Upload')).toMatchObject({
      properties: {
        finished_at: { type: ['string', 'null'], format: 'date-time' },
        passages: { type: ['object', 'null'], required: ['reused', 'embedded'] },
      },
    })
    expect(schema('FileStatus')).toMatchObject({
      properties: { stage: { type: ['string', 'null'], enum: expect.arrayContaining(['done', null]) } },
    })
  })

  it('takes the address of a server', () => {
    expect(buildOpenApi(operationList, { server: 'http://localhost:3000' }).servers).toEqual([
      { url: 'http://localhost:3000' },
    ])
  })
})

describe('the exact document', () => {
  const exact = buildOpenApi(operationList, { isExact: true }).components.schemas

  it('has the rules across fields, and every name that is served', () => {
    expect(exact['Search']).toMatchObject({ allOf: [{ anyOf: [{}, { required: ['threshold'] }] }] })
    for (const name of ['Answer', 'DeleteItems', 'Filter', 'UpdateAccount']) expect(exact[name]).toHaveProperty('allOf')
    expect(exact['CreateTextNamespace']).toMatchObject({ properties: { vector_dimension: { type: 'null' } } })
    expect(exact['DeleteFiles']).toHaveProperty('properties.fileNames')
    expect(exact['SentDocument']).not.toHaveProperty('properties.text.type')
    expect(exact['FileList']).toMatchObject({ properties: { success: { const: true } } })
  })

  it('holds nothing of how it is published', () => {
    const keys = [...walk(exact as Json)].flatMap((map) => Object.keys(map))
    expect(keys.filter((key) => key.startsWith('x-'))).toEqual([])
  })
})

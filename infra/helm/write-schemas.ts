// node infra/helm/write-schemas.ts HELM FOLDER v1.36.3=OPENAPI… DEFINITION.yaml…
// Writes JSON schemas that reject unknown fields, one per kind: for each Kubernetes version, a folder with the kinds of
// the API groups that the chart uses; and the folder `definitions` with the kinds of the given resource definitions.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentsOf } from './yaml.ts'

type Schema = { readonly [key: string]: unknown }
type Kind = { readonly group: string; readonly version: string; readonly kind: string }
type OpenApi = { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } }
type Definition = {
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string }
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[]
  }
}

const parts = [
  'api__v1',
  'apis__apps__v1',
  'apis__batch__v1',
  'apis__policy__v1',
  'apis__networking.k8s.io__v1',
  'apis__autoscaling__v2',
]
const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
const saysNothing = new Set(['description', 'default', 'example', 'externalDocs'])

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Converts to JSON Schema, closed: properties that the schema doesn't name are rejected. `names`: the keys of `value`
 * are property names.
 */
const strict = (value: unknown, names = false): unknown => {
  if (Array.isArray(value)) return value.map((one) => strict(one))
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(
    ([key]) => names || !(saysNothing.has(key) || key.startsWith('x-kubernetes-')),
  )
  const closed = Object.fromEntries(
    entries.map(([key, inner]) => {
      if (!names && key === '$ref') return [key, String(inner).replace('#/components/schemas/', '#/definitions/')]
      return [key, strict(inner, !names && key === 'properties')]
    }),
  )
  const isOpen = value['x-kubernetes-preserve-unknown-fields'] === true || 'additionalProperties' in value
  return !names && isObject(value['properties']) && !isOpen ? { ...closed, additionalProperties: false } : closed
}

/** Returns the names of a schema and of all schemas that it refers to, directly or not. */
const reachable = (schemas: OpenApi['components']['schemas'], from: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(from)) return seen
  seen.add(from)
  for (const [, name = ''] of JSON.stringify(schemas[from]).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    reachable(schemas, name, seen)
  return seen
}

const definitionsOf = (schemas: OpenApi['components']['schemas'], from: string) =>
  Object.fromEntries([...reachable(schemas, from)].map((name) => [name, strict(schemas[name])]))

const write = (folder: string, { group, version, kind }: Kind, schema: Schema): void =>
  writeFileSync(join(folder, `${kind.toLowerCase()}-${group || version}-${version}.json`), JSON.stringify(schema))

const [helm = '', out = '', ...sources] = process.argv.slice(2)
const isKubernetes = (source: string) => /^v[\d.]+=/.test(source)
let meta: Schema = {}

for (const source of sources.filter(isKubernetes)) {
  const [name = '', openApi = ''] = source.split('=')
  const folder = join(out, name)
  mkdirSync(folder, { recursive: true })
  for (const part of parts) {
    const { schemas } = (JSON.parse(readFileSync(join(openApi, `${part}_openapi.json`), 'utf8')) as OpenApi).components
    for (const [key, schema] of Object.entries(schemas)) {
      const kinds = (schema['x-kubernetes-group-version-kind'] ?? []) as readonly Kind[]
      const [kind] = kinds
      if (kind === undefined || kinds.length > 1) continue
      write(folder, kind, {
        required: ['metadata'],
        allOf: [{ $ref: `#/definitions/${key}` }],
        definitions: definitionsOf(schemas, key),
      })
    }
    meta = definitionsOf(schemas, objectMeta)
  }
}

const folder = join(out, 'definitions')
mkdirSync(folder, { recursive: true })
for (const file of sources.filter((source) => !isKubernetes(source))) {
  for (const { spec } of (await documentsOf(helm, readFileSync(file, 'utf8'))) as Definition[]) {
    for (const { name: version, schema } of spec.versions) {
      const closed = strict(schema.openAPIV3Schema) as { readonly properties: object }
      const properties = { ...closed.properties, metadata: { $ref: `#/definitions/${objectMeta}` } }
      const kind = { group: spec.group, version, kind: spec.names.kind }
      write(folder, kind, {
        ...closed,
        required: ['apiVersion', 'kind', 'metadata', 'spec'],
        properties,
        definitions: meta,
      })
    }
  }
}

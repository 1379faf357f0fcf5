import type { Json } from '../json/json.ts'

type JsonMap = { readonly [key: string]: Json }

const isMap = (value: Json | undefined): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mapValues = (map: JsonMap, change: (value: Json) => Json): JsonMap =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))

const resolve = (schema: JsonMap, components: JsonMap): JsonMap => {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const found = components[$ref.replace('#/components/schemas/', '')]
  return isMap(found) ? found : schema
}

/** More generators understand one schema with two types than `anyOf` with null. */
const mergeNull = (schema: JsonMap, components: JsonMap): JsonMap => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const other = anyOf.find((each) => isMap(each) && each['type'] !== 'null')
  const hasNull = anyOf.some((each) => isMap(each) && each['type'] === 'null')
  if (!hasNull || !isMap(other)) return schema
  const inner = resolve(other, components)
  if (typeof inner['type'] !== 'string') return schema
  const values = inner['enum']
  return {
    ...inner,
    ...rest,
    type: [inner['type'], 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  }
}

/** Leaves out what client generators misread: rules across fields, names for earlier clients, constant booleans. */
export const publishSchema = (value: Json, components: JsonMap): Json => {
  if (Array.isArray(value)) return value.map((inner) => publishSchema(inner, components))
  if (!isMap(value)) return value
  const { 'x-published': replacement, 'x-rules': _, ...kept } = mergeNull(value, components)
  if (isMap(replacement)) return publishSchema(replacement, components)
  const { const: constant, ...withoutConstant } = kept
  const schema: JsonMap = typeof constant === 'boolean' ? withoutConstant : kept
  const { properties, required } = schema
  if (!isMap(properties)) return mapValues(schema, (inner) => publishSchema(inner, components))
  const names = Object.keys(properties).filter((name) => {
    const property = properties[name]
    return !isMap(property) || property['x-published'] !== false
  })
  const published = mapValues(
    { ...schema, properties: Object.fromEntries(names.map((name) => [name, properties[name] ?? {}])) },
    (inner) => publishSchema(inner, components),
  )
  return Array.isArray(required)
    ? { ...published, required: required.filter((name) => names.includes(String(name))) }
    : published
}

/** Keeps every rule of the server, for tests that generate requests. */
export const exactSchema = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(exactSchema)
  if (!isMap(value)) return value
  const { 'x-published': _, 'x-rules': rules, ...kept } = value
  return { ...mapValues(kept, exactSchema), ...(Array.isArray(rules) ? { allOf: rules } : {}) }
}

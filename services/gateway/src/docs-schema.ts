import type { Json, OpenApiDocument } from '@cairn/contracts/openapi'
import { type Html, html, prose } from './html.ts'

export type Schema = { readonly [keyword: string]: Json }
export type Schemas = OpenApiDocument['components']['schemas']

export const isMap = (value: Json | undefined): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const schemasOf = (value: Json | undefined): Schema[] => listOf(value).filter(isMap)
const nameOf = (schema: Schema): string | undefined => (typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined)

const resolve = (schema: Schema, schemas: Schemas): Schema => {
  const name = nameOf(schema)
  const target = name === undefined ? undefined : schemas[name]
  return isMap(target) ? target : schema
}

const joined = (parts: readonly Html[], between: string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${between}${part}`))}`

/** What a value may be, in a few words; named schemas are links. */
const typeOf = (schema: Schema): Html => {
  const name = nameOf(schema)
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`
  const choices = [...schemasOf(schema['anyOf']), ...schemasOf(schema['oneOf'])]
  if (choices.length > 0 && schema['type'] === undefined) return joined(choices.map(typeOf), ' or ')
  if (schema['const'] !== undefined) return html`<code>${JSON.stringify(schema['const'])}</code>`
  if (Array.isArray(schema['enum']))
    return joined(
      listOf(schema['enum']).map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or ',
    )
  const type = Array.isArray(schema['type']) ? schema['type'].join(' or ') : schema['type']
  if (type === 'array') return html`array${isMap(schema['items']) ? html` of ${typeOf(schema['items'])}` : ''}`
  if (type === 'object' && isMap(schema['additionalProperties']) && Object.keys(schema['additionalProperties']).length > 0)
    return html`object of ${typeOf(schema['additionalProperties'])}`
  return html`${typeof type === 'string' ? type : 'any JSON value'}`
}

const range = (low: Json | undefined, high: Json | undefined, unit: string): string[] => {
  if (low === undefined && high === undefined) return []
  if (high === undefined) return [`at least ${String(low)}${unit}`]
  return [low === undefined || low === 0 ? `at most ${String(high)}${unit}` : `${String(low)} to ${String(high)}${unit}`]
}

const boundsOf = (schema: Schema): string =>
  [
    ...range(schema['minLength'], schema['maxLength'], ' characters'),
    ...range(schema['minItems'], schema['maxItems'], ' elements'),
    ...range(schema['minimum'], schema['maximum'], ''),
    ...(typeof schema['pattern'] === 'string' ? [`pattern ${schema['pattern']}`] : []),
    ...(schema['default'] === undefined ? [] : [`default ${JSON.stringify(schema['default'])}`]),
  ].join(', ')

export type Field = { readonly name: string; readonly schema: Schema; readonly required: boolean; readonly description?: string }

/** One line per field. */
export const fieldTable = (fields: readonly Field[]): Html => {
  const row = ({ name, schema, required, description }: Field): Html => {
    const text = description ?? schema['description']
    const bounds = boundsOf(schema)
    return html`<tr><th scope="row"><code>${name}</code>${required ? '' : html` <small>optional</small>`}</th><td>${typeOf(schema)}${bounds ? html`<br><small>${bounds}</small>` : ''}</td><td>${typeof text === 'string' ? prose(text) : ''}</td></tr>`
  }
  return html`<div class="scroll"><table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${fields.map(row)}</tbody></table></div>`
}

const fieldsOf = (schema: Schema): Field[] => {
  const required = listOf(schema['required'])
  const properties = isMap(schema['properties']) ? schema['properties'] : {}
  return Object.entries(properties).map(([name, field]) => ({ name, schema: isMap(field) ? field : {}, required: required.includes(name) }))
}

/** The fields of an object, of each form of it where there are several, or else its type and bounds. */
export const schemaBody = (schema: Schema): Html => {
  const forms = schemasOf(schema['oneOf'])
  if (forms.length > 0) return html`${forms.map((form, index) => html`<p>${index === 0 ? 'Either' : 'or'}</p>${schemaBody(form)}`)}`
  const fields = fieldsOf(schema)
  if (fields.length > 0) return fieldTable(fields)
  const bounds = boundsOf(schema)
  return html`<p>${typeOf(schema)}${bounds ? html`, ${bounds}` : ''}</p>`
}

/** A value such as the schema describes: its first example, else one made of its parts. */
export const sampleOf = (sent: Schema, schemas: Schemas, depth = 0): Json => {
  const schema = resolve(sent, schemas)
  const [example] = listOf(schema['examples'])
  if (example !== undefined) return example
  const [choice] = [...schemasOf(schema['oneOf']), ...(schema['type'] === undefined ? schemasOf(schema['anyOf']) : [])]
  if (choice !== undefined) return sampleOf(choice, schemas, depth)
  const [first] = listOf(schema['enum'])
  const fixed = schema['const'] ?? first ?? schema['default']
  if (fixed !== undefined) return fixed
  if (depth > 6) return null
  if (schema['type'] === 'array') return isMap(schema['items']) ? [sampleOf(schema['items'], schemas, depth + 1)] : []
  if (schema['type'] === 'object')
    return Object.fromEntries(fieldsOf(schema).map(({ name, schema: field }) => [name, sampleOf(field, schemas, depth + 1)]))
  const plain: Readonly<Record<string, Json>> = { string: 'text', integer: 1, number: 0.5, boolean: true }
  return plain[String(schema['type'])] ?? null
}

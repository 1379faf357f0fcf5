import { createHash } from 'node:crypto'
import { buildOpenApi, type Json, type OpenApiDocument } from '@cairn/contracts/openapi'
import { operationList } from '@cairn/contracts/operations'
import type { Endpoint } from '@cairn/runtime/api-request'
import { type Field, fieldTable, isMap, type Schema, type Schemas, sampleOf, schemaBody } from './docs-schema.ts'
import { docsStyle } from './docs-style.ts'
import { type Html, html, prose } from './html.ts'

type Row = { readonly path: string; readonly method: string; readonly operation: Schema }

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
const maps = (value: Json | undefined): Schema[] => (Array.isArray(value) ? value.filter(isMap) : [])
const inside = (value: Json | undefined, ...keys: readonly string[]): Json | undefined =>
  keys.reduce<Json | undefined>((map, key) => (isMap(map) ? map[key] : undefined), value)
const jsonSchemaOf = (holder: Json | undefined): Schema | undefined => {
  const schema = inside(holder, 'content', 'application/json', 'schema')
  return isMap(schema) ? schema : undefined
}

const rowsOf = ({ paths }: OpenApiDocument): Row[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => (isMap(operation) ? [{ path, method, operation }] : [])),
  )

const keyOf = (operation: Schema): 'api' | 'admin' | undefined => {
  const [first] = maps(operation['security'])
  if (first === undefined) return undefined
  return 'AdminKey' in first ? 'admin' : 'api'
}

const shellQuoted = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`

const curlOf = ({ path, method, operation }: Row, schemas: Schemas): string => {
  const parameters = maps(operation['parameters'])
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const schema = parameters.find((parameter) => parameter['name'] === name)?.['schema']
    const sample = isMap(schema) ? sampleOf(schema, schemas) : whole
    return sample === 'text' ? name.toUpperCase() : encodeURIComponent(String(sample))
  })
  const body = jsonSchemaOf(operation['requestBody'])
  const header = { api: '  -H "x-api-key: $CAIRN_API_KEY"', admin: '  -H "x-admin-key: $CAIRN_ADMIN_KEY"', none: undefined }[
    keyOf(operation) ?? 'none'
  ]
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$CAIRN_URL${filled}"`,
    header,
    body && "  -H 'content-type: application/json'",
    body && `  -d ${shellQuoted(JSON.stringify(sampleOf(body, schemas)))}`,
  ]
    .filter((line) => line !== undefined)
    .join(' \\\n')
}

const parameterFields = (operation: Schema): Field[] =>
  maps(operation['parameters']).map((parameter) => ({
    name: text(parameter['name']),
    schema: isMap(parameter['schema']) ? parameter['schema'] : {},
    required: parameter['required'] === true,
    ...(parameter['description'] === undefined ? {} : { description: text(parameter['description']) }),
  }))

const shown = (schema: Schema, schemas: Schemas): Html => {
  const name = text(schema['$ref']).split('/').at(-1) ?? ''
  const target = schemas[name]
  return html`${name ? html`<p><a href="#schema-${name}">${name}</a></p>` : ''}${schemaBody(isMap(target) ? target : schema)}`
}

const responseOf = (status: string, response: Json, schemas: Schemas): Html => {
  const schema = jsonSchemaOf(response)
  const heading = html`<summary><b>${status}</b> ${text(inside(response, 'description'))}</summary>`
  return html`<details>${heading}${schema ? shown(schema, schemas) : ''}</details>`
}

const anchorOf = ({ operation }: Row): string => text(operation['operationId'])
const badge = (method: string): Html => html`<span class="method ${method}">${method.toUpperCase()}</span>`

const operationOf = (row: Row, schemas: Schemas): Html => {
  const { path, method, operation } = row
  const fields = parameterFields(operation)
  const body = jsonSchemaOf(operation['requestBody'])
  const responses = isMap(operation['responses']) ? Object.entries(operation['responses']) : []
  return html`<section>
<h3 id="${anchorOf(row)}"><a href="#${anchorOf(row)}">${text(operation['summary'])}</a></h3>
<p class="path">${badge(method)}<code>${path}</code></p>
${prose(text(operation['description']))}
${fields.length > 0 ? html`<h4>Parameters</h4>${fieldTable(fields)}` : ''}
${body ? html`<h4>Body</h4>${shown(body, schemas)}` : ''}
<h4>Example</h4><pre><code>${curlOf(row, schemas)}</code></pre>
<h4>Answers</h4>${responses.map(([status, response]) => responseOf(status, response, schemas))}
</section>`
}

const schemaSection = (name: string, schema: Json): Html => {
  if (!isMap(schema)) return html``
  return html`<section><h3 id="schema-${name}"><a href="#schema-${name}">${name}</a></h3>${prose(text(schema['description']))}${schemaBody(schema)}</section>`
}

const rowsOfTag = (rows: readonly Row[], tag: string): readonly Row[] =>
  rows.filter(({ operation }) => Array.isArray(operation['tags']) && operation['tags'].includes(tag))

const navigation = ({ tags }: OpenApiDocument, rows: readonly Row[]): Html => {
  const link = (row: Row): Html => html`<li><a href="#${anchorOf(row)}">${text(row.operation['summary'])}</a></li>`
  const groups = tags.map(({ name }) => html`<b>${name}</b><ul>${rowsOfTag(rows, name).map(link)}</ul>`)
  const more = html`<b>More</b><ul><li><a href="#schemas">Schemas</a></li><li><a href="/openapi.json">openapi.json</a></li></ul>`
  return html`<nav aria-label="Operations">${groups}${more}</nav>`
}

const setUp = `export CAIRN_URL=http://localhost:3000
export CAIRN_API_KEY=…      # printed by the first start, kept in data/api-key
export CAIRN_ADMIN_KEY=…    # only for the admin operations, kept in data/admin-key`

/** The document as one page without scripts or anything from outside, and the headers it goes out with. */
export const renderDocsPage = (
  document: OpenApiDocument,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } => {
  const { info, tags, components } = document
  const rows = rowsOf(document)
  const sections = tags.map(
    ({ name, description }) =>
      html`<h2>${name}</h2><p>${description}</p>${rowsOfTag(rows, name).map((row) => operationOf(row, components.schemas))}`,
  )
  const schemas = Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))
  // The style is put in as it is, since its hash is of exactly these characters.
  const style: Html = { markup: docsStyle }
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${info.title} API</title><style>${style}</style></head>
<body>${navigation(document, rows)}<main><h1>${info.title} API <small>${info.version}</small></h1>${prose(info.description)}
<h4>To run the examples</h4><pre><code>${setUp}</code></pre>
${sections}<h2 id="schemas">Schemas</h2>${schemas}</main></body></html>
`
  const hash = createHash('sha256').update(docsStyle).digest('base64')
  return {
    body: page.markup,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    },
  }
}

/** Made when it is first asked for: to make it takes memory that most processes never need. As bytes, which all answers share. */
const onDemand = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** `/docs`. */
export const docsPage = (): Endpoint<unknown> => {
  const page = onDemand(() => {
    const { body, headers } = renderDocsPage(buildOpenApi(operationList))
    return { body: Buffer.from(body), headers }
  })
  return () => ({ status: 200, ...page() })
}

/** `/openapi.json`. */
export const openApiDocument = (): Endpoint<unknown> => {
  const body = onDemand(() => Buffer.from(JSON.stringify(buildOpenApi(operationList))))
  return () => ({ status: 200, body: body(), headers: { 'content-type': 'application/json; charset=utf-8' } })
}

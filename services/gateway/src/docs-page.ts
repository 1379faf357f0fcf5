import { buildOpenApi } from '@cairn/contracts/api/openapi'
import { operationList, operations } from '@cairn/contracts/api/operations'
import type { Endpoint } from '@cairn/runtime/http/api-request'
import { endpoint } from '@cairn/runtime/http/endpoint'
import { type DocsScript, loadDocsScript } from './docs-script.ts'

/** Disables all contact with other origins; `proxyUrl` is where "try it" would send requests, keys included. */
const configuration = {
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // An entered key must not outlive the page.
  persistAuth: false,
  documentDownloadType: 'direct',
  authentication: { preferredSecurityScheme: 'ApiKey' },
}

// What Scalar needs beyond 'none':
// - script-src, connect-src 'self': its script, the document, and the requests of "try it".
// - style-src 'unsafe-inline': it adds styles at run time, mostly without a nonce.
// - img-src data: its icons, and the empty favicon, without which the browser requests /favicon.ico.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `document`: URL of the OpenAPI document; `script`: that of `loadDocsScript`; `head`: added to the head. */
export const docsHtml = ({
  document,
  script,
  head = '',
}: {
  readonly document: string
  readonly script: string
  readonly head?: string
}): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
${head}<link rel="icon" href="data:,"><title>Cairn API</title></head>
<body><noscript>This page needs JavaScript. The same API is described in <a href="${document}">openapi.json</a>.</noscript>
<script id="api-reference" type="application/json" data-configuration="${JSON.stringify({ url: document, ...configuration }).replaceAll('"', '&quot;')}"></script>
<script src="${script}"></script></body></html>
`

const page = docsHtml({ document: '/openapi.json', script: '/docs/scalar.js' })

export const docsPage = (): Endpoint<unknown> =>
  endpoint(operations.getDocs, () => ({
    status: 200,
    body: page,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentSecurityPolicy },
  }))

/** Most processes never need the value. */
const onDemand = <T>(create: () => T): (() => T) => {
  let created: { readonly value: T } | undefined
  return () => {
    created ??= { value: create() }
    return created.value
  }
}

export const docsScript = (load: () => Promise<DocsScript> = loadDocsScript): Endpoint<unknown> => {
  const script = onDemand(load)
  return endpoint(operations.getDocsScript, async ({ header }) => {
    const { gzipped, etag } = await script()
    const headers = { etag, 'cache-control': 'no-cache' }
    if (header('if-none-match') === etag) return { status: 304, headers }
    const encoding = { 'content-type': 'text/javascript; charset=utf-8', 'content-encoding': 'gzip' }
    return { status: 200, body: gzipped, headers: { ...headers, ...encoding } }
  })
}

export const openApiDocument = (): Endpoint<unknown> => {
  const body = onDemand(() => Buffer.from(JSON.stringify(buildOpenApi(operationList))))
  return endpoint(operations.getOpenApi, () => ({
    status: 200,
    body: body(),
    headers: { 'content-type': 'application/json; charset=utf-8' },
  }))
}

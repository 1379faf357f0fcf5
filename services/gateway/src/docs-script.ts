import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export type DocsScript = { readonly gzipped: Uint8Array; readonly etag: string }

type Reply = { header(): Reply; send(body: string): string }
type PluginRoute = { readonly url: string; readonly handler: (request: undefined, reply: Reply) => unknown }
type Plugin = (host: { route(route: PluginRoute): void }, options: object, done: () => void) => void

const reply: Reply = { header: () => reply, send: (body) => body }

/** zod's probe for eval would be reported as a violation of the content security policy. */
const withoutEval = 'globalThis.__zod_globalConfig={jitless:true};\n'

/**
 * The page has the console's origin, so it fills in the API key that the console keeps for this tab or device, before
 * Scalar reads its configuration. Blocked storage throws.
 */
const withConsoleKey = `try {
  const apiKey = sessionStorage.getItem('cairn.api-key') ?? localStorage.getItem('cairn.api-key')
  const element = document.getElementById('api-reference')
  const configuration = JSON.parse(element.dataset.configuration)
  if (apiKey) configuration.authentication.securitySchemes = { ApiKey: { value: apiKey } }
  element.dataset.configuration = JSON.stringify(configuration)
} catch {}
`

/** Scalar shows this text, in Base64, in the empty field of a key. */
const placeholder = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT'

/**
 * Takes Scalar's script from the plugin for Fastify, which has 14 dependencies; `@scalar/api-reference` has it as a
 * file, but 272 dependencies of 290 MB. The plugin registers its routes with any object.
 */
export const loadDocsScript = async (): Promise<DocsScript> => {
  const plugin = (await import('@scalar/fastify-api-reference')).default as unknown as Plugin
  const routes: PluginRoute[] = []
  plugin({ route: (route) => routes.push(route) }, { configuration: { url: '/openapi.json' } }, () => undefined)
  const script = routes.find(({ url }) => url.endsWith('.js'))?.handler(undefined, reply)
  if (typeof script !== 'string') throw new Error('@scalar/fastify-api-reference registers no route with its script')
  const gzipped = await promisify(gzip)(withoutEval + withConsoleKey + script.replaceAll(placeholder, 'Your key'))
  return { gzipped, etag: `"${createHash('sha256').update(gzipped).digest('base64url')}"` }
}

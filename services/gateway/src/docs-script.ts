import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export type DocsScript = { readonly gzipped: Uint8Array; readonly etag: string }

type Reply = { header(): Reply; send(body: string): string }
type PluginRoute = { readonly url: string; readonly handler: (request: undefined, reply: Reply) => unknown }
type Plugin = (host: { route(route: PluginRoute): void }, options: object, done: () => void) => void

const reply: Reply = { header: () => reply, send: (body) => body }

/** Turns off zod's probe for eval, which the content security policy would report as a violation. */
const withoutEval = 'globalThis.__zod_globalConfig={jitless:true};\n'

/**
 * Fills in the API key that the console keeps for this tab or this device: its page has the same origin. The script runs
 * before Scalar reads its configuration, and stores nothing. Storage may be blocked, and then throws.
 */
const withConsoleKey = `try {
  const apiKey = sessionStorage.getItem('cairn.api-key') ?? localStorage.getItem('cairn.api-key')
  const element = document.getElementById('api-reference')
  const configuration = JSON.parse(element.dataset.configuration)
  if (apiKey) configuration.authentication.securitySchemes = { ApiKey: { value: apiKey } }
  element.dataset.configuration = JSON.stringify(configuration)
} catch {}
`

/** What Scalar shows in the empty field of a key: a text in Base64. */
const placeholder = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT'

/**
 * Loads the script of Scalar's reading page. The script comes from the plugin for Fastify, which has 14 dependencies;
 * `@scalar/api-reference` has the same script as a file, but 272 dependencies of 290 MB. The plugin adds its routes to
 * any object that it is registered with.
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

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export type DocsScript = { readonly gzipped: Uint8Array; readonly etag: string }

type Reply = { header(): Reply; send(body: string): string }
type PluginRoute = { readonly url: string; readonly handler: (request: undefined, reply: Reply) => unknown }
type Plugin = (host: { route(route: PluginRoute): void }, options: object, done: () => void) => void

const reply: Reply = { header: () => reply, send: (body) => body }

/** With eval forbidden, the probe of zod for it would be reported as a violation of the content security policy. */
const withoutEval = 'globalThis.__zod_globalConfig={jitless:true};\n'

/**
 * Loads the script of Scalar's reading page. It comes from the plugin for Fastify, which holds it ready to be served and brings 14 packages;
 * `@scalar/api-reference` holds the same script as a file and brings 272, of 290 MB. A plugin adds its routes to whatever it is registered with.
 */
export const loadDocsScript = async (): Promise<DocsScript> => {
  const plugin = (await import('@scalar/fastify-api-reference')).default as unknown as Plugin
  const routes: PluginRoute[] = []
  plugin({ route: (route) => routes.push(route) }, { configuration: { url: '/openapi.json' } }, () => undefined)
  const script = routes.find(({ url }) => url.endsWith('.js'))?.handler(undefined, reply)
  if (typeof script !== 'string') throw new Error('@scalar/fastify-api-reference registers no route with its script')
  const gzipped = await promisify(gzip)(withoutEval + script)
  return { gzipped, etag: `"${createHash('sha256').update(gzipped).digest('base64url')}"` }
}

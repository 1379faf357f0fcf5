// Serves or builds the pages of docs/ as a site:
//
//     npm run docs             serves the pages while they are written
//     npm run docs -- build    writes the site to docs/.vitepress/dist; a dead link is an error
//
// VitePress is installed into the cache, not into node_modules: nothing else needs it. DOCS_BASE is the path under
// which the site is served, with a slash at both ends; DOCS_REPOSITORY is the URL of the repository, for links to its
// files.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { docsHtml } from '@cairn/gateway/docs-page'
import { loadDocsScript } from '@cairn/gateway/docs-script'
import { npmEnvironment } from '../e2e/generators/tools.ts'
import { searchFaults } from './lib/docs-search.ts'
import { deadLinks } from './lib/markdown-links.ts'
import { deadAddresses, foreignResources } from './lib/site-resources.ts'

const root = join(import.meta.dirname, '..')
const built = join(root, 'docs/.vitepress/dist')
const pins = { mermaid: '12.3.0', vitepress: '1.6.4', vue: '3.5.45' }

// The site sets no response headers, so the policy is a meta tag. The API form sends requests to the server that the
// reader enters.
const policy =
  "default-src 'none'; script-src 'self'; connect-src *; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"

/** Writes the API reference, which the gateway serves at /docs, as files. */
const writeReference = async (folder: string): Promise<void> => {
  mkdirSync(join(folder, 'reference'), { recursive: true })
  copyFileSync(join(root, 'docs/openapi.json'), join(folder, 'openapi.json'))
  writeFileSync(join(folder, 'reference/scalar.js'), gunzipSync((await loadDocsScript()).gzipped))
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`
  writeFileSync(
    join(folder, 'reference/index.html'),
    docsHtml({ document: '../openapi.json', script: 'scalar.js', head }),
  )
}

/** Copies Mermaid, which draws the diagrams in the browser. */
const copyMermaid = (tools: string, folder: string): void => {
  const from = join(tools, 'node_modules/mermaid/dist')
  for (const name of ['mermaid.esm.min.mjs', 'chunks/mermaid.esm.min'])
    cpSync(join(from, name), join(folder, 'mermaid', name), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    })
}

const vitepress = async (tools: string, args: readonly string[]): Promise<number> => {
  const bin = join(tools, 'node_modules/vitepress/bin/vitepress.js')
  const env = { ...process.env, CAIRN_DOCS_TOOLS: tools }
  const child = spawn(process.execPath, [bin, ...args], { cwd: root, env, stdio: 'inherit' })
  // Ctrl-C signals both processes; this process must exit after the child.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  return code ?? 1
}

const main = async ([command = 'dev', ...args]: readonly string[]): Promise<number> => {
  if (command !== 'build' && command !== 'dev') {
    console.error('usage: node scripts/docs.ts build|dev')
    return 2
  }
  const tools = await npmEnvironment('docs', pins)
  const files = join(tools, 'public')
  await writeReference(files)
  copyMermaid(tools, files)
  if (command === 'dev') return vitepress(tools, ['dev', 'docs', ...args])
  const dead = deadLinks(root, globSync('docs/**/*.md', { cwd: root }))
  for (const fault of dead) console.error(`dead link: ${fault}`)
  if (dead.length > 0) return 1
  const code = await vitepress(tools, ['build', 'docs', ...args])
  if (code !== 0) return code
  const pages = globSync('**/*.html', { cwd: built })
  const foreign = pages.flatMap((page) => foreignResources(page, readFileSync(join(built, page), 'utf8')))
  // VitePress checks the links of pages, but not those of the navigation.
  const missing = pages.flatMap((page) =>
    deadAddresses(page, readFileSync(join(built, page), 'utf8'), process.env['DOCS_BASE'] ?? '/', (path) =>
      existsSync(join(built, path)),
    ),
  )
  const unfound = await searchFaults(built, tools)
  for (const fault of unfound) console.error(`search: ${fault}`)
  for (const fault of foreign) console.error(`loaded from elsewhere: ${fault}`)
  for (const fault of missing) console.error(`dead link: ${fault}`)
  console.log(`${pages.length} pages in ${built}`)
  return foreign.length + missing.length + unfound.length === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))

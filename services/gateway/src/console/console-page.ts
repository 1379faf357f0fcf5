import { AppError } from '@cairn/contracts/errors'
import { getConsole, getConsoleAsset } from '@cairn/contracts/http/console'
import type { Endpoint } from '@cairn/runtime/http/api-request'
import { endpoint } from '@cairn/runtime/http/endpoint'
import type { ConsoleFiles } from './console-files.ts'

type Files = () => Promise<ConsoleFiles | undefined>

const contentSecurityPolicy = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ')

const html = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentSecurityPolicy }

/** Served before the build is complete. Reloads by script: a `refresh` would lose the code in the URL fragment. */
const building = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><script src="/console/reload.js" async></script><title>Cairn</title></head>
<body><h1>Cairn</h1><p>The console is being built, which takes some seconds at the first start. This page opens it.</p>
<p id="state" role="status"></p>
<p>If it stays, run <code>npm run console</code>. The API is served meanwhile: <a href="/docs">docs</a>.</p></body></html>
`

const reload = {
  status: 200,
  body: `const look = async () => {
  try {
    const page = await fetch('/', { headers: { accept: 'text/html' } })
    if ((await page.text()).includes('/console/assets/')) return location.reload()
    const { dependencies } = await (await fetch('/readyz')).json()
    const { ok, progress } = dependencies.embedder ?? { ok: true }
    const share = progress === undefined ? '' : \`, \${Math.round(progress * 100)} %\`
    document.getElementById('state').textContent = ok ? '' : \`The model is loading\${share}.\`
  } catch {}
  setTimeout(look, 1000)
}
setTimeout(look, 500)
`,
  headers: { 'content-type': 'text/javascript; charset=utf-8' },
} as const

const nothingHere = () => new AppError('notFound', 'There is nothing at this path')

/** Browsers accept HTML explicitly, API clients do not. */
const acceptsHtml = (accept: string | undefined): boolean =>
  accept?.split(',').some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === 'text/html') === true

export const consolePage = (files: Files): Endpoint<unknown> =>
  endpoint(getConsole, async (request) => {
    request.setHeader('vary', 'Accept')
    if (!acceptsHtml(request.header('accept'))) throw nothingHere()
    const page = (await files())?.get('index.html')
    if (!page) return { status: 200, body: building, headers: html }
    return { status: 200, body: page.gzipped, headers: { ...html, 'content-encoding': 'gzip' } }
  })

/** File names of the build contain a hash of the content. */
export const consoleAsset = (files: Files): Endpoint<unknown> =>
  endpoint(getConsoleAsset, async ({ params: { asset: name } }) => {
    if (name === 'reload.js') return reload
    const file = name === 'index.html' ? undefined : (await files())?.get(name)
    if (!file) throw nothingHere()
    const headers = {
      'content-type': file.contentType,
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    }
    return { status: 200, body: file.gzipped, headers }
  })

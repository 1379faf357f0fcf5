import type { ApiRequest } from '@cairn/runtime/http/api-request'
import { describe, expect, it } from 'vitest'
import type { RouteTableDeps } from '../routes.ts'
import { routes } from '../routes.ts'
import type { ConsoleFiles } from './console-files.ts'
import { consoleAsset, consolePage } from './console-page.ts'

const built: ConsoleFiles = new Map([
  ['index.html', { gzipped: new Uint8Array([1]), contentType: 'text/html; charset=utf-8' }],
  ['assets/index-1a.js', { gzipped: new Uint8Array([2]), contentType: 'text/javascript; charset=utf-8' }],
])
const files = async () => built

const request = (accept?: string, asset = '') => {
  const sent: Record<string, string> = {}
  return {
    header: (name: string) => (name === 'accept' ? accept : undefined),
    setHeader: (name: string, value: string) => {
      sent[name] = value
    },
    params: { asset },
    sent,
  } as unknown as ApiRequest<unknown> & { readonly sent: typeof sent }
}

describe('the page', () => {
  it.each(['text/html', 'text/html,application/xhtml+xml,*/*;q=0.8', 'application/json, TEXT/HTML;q=0.5'])(
    'is HTML where the request accepts it: %s',
    async (accept) => {
      const { status, body, headers } = await consolePage(files).handle(request(accept))
      expect({ status, body }).toEqual({ status: 200, body: built.get('index.html')?.gzipped })
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' })
    },
  )

  it.each([undefined, '*/*', 'application/json', 'text/html-no', 'application/text/html'])(
    'is nothing for a client of the API: %s',
    async (accept) => {
      await expect(consolePage(files).handle(request(accept))).rejects.toMatchObject({ code: 'notFound' })
    },
  )

  it('differs by Accept, and names it in Vary for caches', async () => {
    const one = request('text/html')
    await consolePage(files).handle(one)
    expect(one.sent).toEqual({ vary: 'Accept' })
  })

  it('may load from its own origin only, without script or style in the page, and be framed by nobody', async () => {
    const { headers } = await consolePage(files).handle(request('text/html'))
    const policy = headers?.['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|data:|\*/)
  })

  it('says that the console is being built, reloads, and breaks no rule of its policy', async () => {
    const { status, body, headers } = await consolePage(async () => undefined).handle(request('text/html'))
    expect(status).toBe(200)
    expect([...String(body).matchAll(/src="([^"]*)"/g)].map((match) => match[1])).toEqual(['/console/reload.js'])
    expect(body).not.toMatch(/<script>|<style|style=|\son\w+=/)
    expect(headers).not.toHaveProperty('content-encoding')
  })
})

describe('an asset', () => {
  it('may be kept for ever, since its name changes with its content', async () => {
    const { status, body, headers } = await consoleAsset(files).handle(request(undefined, 'assets/index-1a.js'))
    expect({ status, body }).toEqual({ status: 200, body: new Uint8Array([2]) })
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  it.each(['index.html', 'assets/other.js', '../package.json', 'assets', '__proto__', ''])(
    'exists only if it was built: %j',
    async (asset) => {
      await expect(consoleAsset(files).handle(request(undefined, asset))).rejects.toMatchObject({ code: 'notFound' })
    },
  )

  it('does not exist before the build, except for the script that waits for it', async () => {
    const early = consoleAsset(async () => undefined)
    expect((await early.handle(request(undefined, 'reload.js'))).body).toContain('location.reload()')
    await expect(early.handle(request(undefined, 'assets/index-1a.js'))).rejects.toMatchObject({ code: 'notFound' })
  })
})

it('has routes only where the console is on', () => {
  const pathsOf = (console: RouteTableDeps['console']) =>
    routes({ console } as RouteTableDeps)
      .map(({ operation }) => operation.path)
      .filter((path) => path === '/' || path.startsWith('/console'))
  expect(pathsOf(undefined)).toEqual([])
  expect(pathsOf({} as RouteTableDeps['console'])).toEqual(['/', '/console/{+asset}', '/console/session'])
})

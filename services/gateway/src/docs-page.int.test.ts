import { gunzipSync } from 'node:zlib'
import type { ApiRequest } from '@cairn/runtime/http/api-request'
import { describe, expect, it } from 'vitest'
import { docsPage, docsScript } from './docs-page.ts'

const request = (headers: Readonly<Record<string, string>> = {}) =>
  ({ header: (name: string) => headers[name] }) as ApiRequest<unknown>

describe('the docs page', () => {
  it('loads one script of its own and contains none', async () => {
    const { body, headers } = await docsPage().handle(request())
    expect([...String(body).matchAll(/src="([^"]*)"/g)].map((match) => match[1])).toEqual(['/docs/scalar.js'])
    expect(body).not.toMatch(/https?:|\son\w+=/)
    expect(headers?.['content-security-policy']).not.toMatch(/https?:|unsafe-eval|script-src[^;]*unsafe/)
  })

  it('compresses the script of Scalar', async () => {
    const { status, body, headers } = await docsScript().handle(request())
    expect(status).toBe(200)
    expect(headers?.['content-encoding']).toBe('gzip')
    const script = gunzipSync(body as Uint8Array).toString()
    expect(script).toContain('api-reference')
    expect(script).toContain('placeholder:`Your key`')
    expect(script).not.toContain('QUxMIFlPVVIg')
  })

  it('loads the script on the first request, once, and confirms a copy that is still right', async () => {
    let loads = 0
    const { handle } = docsScript(async () => {
      loads += 1
      return { gzipped: new Uint8Array([1]), etag: '"a"' }
    })
    expect(loads).toBe(0)
    expect(await handle(request())).toMatchObject({ status: 200, headers: { etag: '"a"' } })
    const confirmed = await handle(request({ 'if-none-match': '"a"' }))
    expect(confirmed.status).toBe(304)
    expect(confirmed.body).toBeUndefined()
    expect(loads).toBe(1)
  })
})

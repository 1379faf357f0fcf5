import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { useTarget } from '../story.ts'

const story = useTarget()
const get = (path: string, accept: string) => fetch(story.target.url + path, { headers: { accept } })

describe('the console', () => {
  it('is at / for a browser, which loads all of it from here', async () => {
    const answer = await get('/', 'text/html,application/xhtml+xml')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'")
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    const page = await answer.text()
    expect(page).toContain('<title>Cairn</title>')
    for (const [, path = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g)) expect(path).toMatch(/^\/(console\/|docs$)/)
  })

  it('is nothing for a client of the API', async () => {
    const answer = await get('/', 'application/json')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ status: 'failure', message: 'There is nothing at this path' })
  })

  it('signs in once with a code that an API key has created, at any gateway', async () => {
    const { api, apiKey } = await story.member()
    const { code, path } = (await api.call(operations.createConsoleCode, {}, 201)).body
    expect(path).toBe(`/#code=${code}`)
    const exchange = async (sent: string) => {
      const response = await fetch(`${story.target.url}/console/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-request-id': sent },
        body: JSON.stringify({ code: sent }),
      })
      expect(response.headers.get('x-request-id')).not.toBe(code)
      return { status: response.status, body: await response.json() }
    }
    for (let count = 0; count < 12; count += 1) expect((await exchange('wrong')).status).toBe(count < 10 ? 401 : 429)
    expect(await exchange(code)).toEqual({ status: 200, body: { api_key: apiKey } })
    expect((await exchange(code)).status).toBe(429)
    await story.visitor.call(operations.createConsoleCode, {}, 401)
  })

  it.each(['/console/nothing.js', '/console/..%2f..%2fpackage.json', '/console/index.html'])(
    'has no file %s',
    async (path) => {
      expect((await get(path, '*/*')).status).toBe(404)
    },
  )
})

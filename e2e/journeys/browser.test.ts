import { operations } from '@cairn/contracts/api/operations'
import { describe, expect, it } from 'vitest'
import { useTarget } from '../story.ts'

const story = useTarget()
const origin = 'https://chat.example'

const preflight = (path: string, method: string, headers = 'content-type,x-api-key') =>
  fetch(story.target.url + path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
  })

describe('a page in a browser', () => {
  it('may ask before it calls, without a key, and gets the allowed methods and headers', async () => {
    for (const [path, method] of [
      ['/v1/search', 'POST'],
      ['/v1/namespaces', 'GET'],
      ['/v1/namespaces/any', 'DELETE'],
      ['/v1/namespaces/any/documents', 'POST'],
    ] as const) {
      const answer = await preflight(path, method)
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
      const allowed = answer.headers.get('access-control-allow-headers')?.split(', ')
      expect(allowed).toEqual(expect.arrayContaining(['content-type', 'x-api-key']))
      expect(allowed).not.toContain('x-admin-key')
      expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0)
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  it('may read the answer, refusals included, and the headers that help', async () => {
    const { api } = await story.member({ tier: 'community' })
    const answers = [
      await api.call(operations.listNamespaces, { headers: { origin } }, 200),
      await api.call(operations.search, { headers: { origin }, body: {} }, 400),
      await story.visitor.call(operations.listNamespaces, { headers: { origin } }, 401),
    ]
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      const exposed = headers.get('access-control-expose-headers')?.toLowerCase().split(', ')
      expect(exposed).toEqual(expect.arrayContaining(['x-request-id', 'ratelimit', 'ratelimit-policy', 'retry-after']))
    }
  })

  it('gets no answer that may be framed, sniffed or kept', async () => {
    const { api } = await story.member()
    const { headers } = await api.call(operations.listNamespaces, {}, 200)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-powered-by')).toBeNull()
  })
})

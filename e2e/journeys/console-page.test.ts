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

  it.each(['/console/nothing.js', '/console/..%2f..%2fpackage.json', '/console/index.html'])(
    'has no file %s',
    async (path) => {
      expect((await get(path, '*/*')).status).toBe(404)
    },
  )
})

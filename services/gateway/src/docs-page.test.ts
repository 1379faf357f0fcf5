import { createHash } from 'node:crypto'
import { buildOpenApi } from '@cairn/contracts/openapi'
import { operationList } from '@cairn/contracts/operations'
import { describe, expect, it } from 'vitest'
import { renderDocsPage } from './docs-page.ts'

const document = buildOpenApi(operationList)
const { body, headers } = renderDocsPage(document)

describe('the docs page', () => {
  it('shows every operation and every schema under an anchor of its own', () => {
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map((match) => match[1])
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(operationList.map(({ operationId }) => operationId)))
    expect(ids).toEqual(expect.arrayContaining(Object.keys(document.components.schemas).map((name) => `schema-${name}`)))
  })

  it('has no link into nothing', () => {
    const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]))
    const targets = [...body.matchAll(/href="#([^"]*)"/g)].map((match) => match[1])
    expect(targets.length).toBeGreaterThan(100)
    expect(targets.filter((target) => !ids.has(target))).toEqual([])
  })

  it('loads nothing from outside and runs nothing', () => {
    expect(body).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|\son\w+=|@import|url\(/i)
    expect([...body.matchAll(/href="(?!#)([^"]*)"/g)].map((match) => match[1])).toEqual(['/openapi.json'])
  })

  it('allows its own style and nothing else', () => {
    const [style] = [...body.matchAll(/<style>([\s\S]*?)<\/style>/g)].map((match) => match[1] ?? '')
    const hash = createHash('sha256')
      .update(style ?? '')
      .digest('base64')
    expect(headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}'`)
    expect(body).not.toMatch(/\sstyle=/)
  })

  it('shows calls that can be pasted into a shell', () => {
    expect(body).toContain(
      'curl -X POST &quot;$CAIRN_URL/v1/namespaces/my-documents/documents&quot; \\\n  -H &quot;x-api-key: $CAIRN_API_KEY&quot;',
    )
    expect(body).toContain('-d &#39;{&quot;query&quot;:&quot;how is a path marked&quot;')
    expect(body).toContain('-H &quot;x-admin-key: $CAIRN_ADMIN_KEY&quot;')
  })

  it('escapes what it is given', () => {
    const hostile = renderDocsPage({ ...document, info: { ...document.info, title: '<b>"x"&', description: '`<i>`\n\n</main>' } }).body
    expect(hostile).toContain('<h1>&lt;b&gt;&quot;x&quot;&amp; API')
    expect(hostile).toContain('<code>&lt;i&gt;</code>')
    expect(hostile).not.toContain('<p></main>')
  })

  it('closes every element it opens', () => {
    for (const element of ['section', 'table', 'details', 'pre', 'ul', 'main', 'nav', 'code', 'a'])
      expect(body.split(`<${element}>`).length + body.split(`<${element} `).length - 1, element).toBe(body.split(`</${element}>`).length)
  })
})

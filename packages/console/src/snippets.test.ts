import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { snippet } from './snippets.ts'

const body = { query: `it's "quoted" \\ $HOME \`id\``, filter: { key: 'a', in: [1, true, null] }, explain: false }

it('writes curl that a shell reads as the same body', () => {
  const text = snippet('curl', '/v1/search', body, 'http://localhost:3000')
  const printed = spawnSync('sh', ['-c', text.replace(/^curl .*\\\n +-d/, "printf '%s'")], { encoding: 'utf8' })
  expect(JSON.parse(printed.stdout)).toEqual(body)
})

it('writes TypeScript that is the same body', () => {
  const text = snippet('TypeScript', '/v1/search', body, 'http://localhost:3000')
  const sent = /JSON\.stringify\((.*)\),\n\}\)/s.exec(text)?.[1] ?? ''
  expect(JSON.parse(sent)).toEqual(body)
  expect(text).toContain("'http://localhost:3000/v1/search'")
})

it('writes the values of Python', () => {
  const text = snippet('Python', '/v1/search', body, 'http://localhost:3000')
  expect(text).toContain('"in": [1, True, None]')
  expect(text).toContain('"explain": False')
})

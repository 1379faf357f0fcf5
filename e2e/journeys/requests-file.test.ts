import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useTarget } from '../story.ts'

const story = useTarget()

type WrittenRequest = { readonly line: string; readonly headers: Record<string, string>; readonly body: string }

/** Returns the requests in a file in the format of the VS Code REST Client. */
const readRequests = (file: string): WrittenRequest[] =>
  file.split(/^###.*$/m).flatMap((part) => {
    const lines = part.split('\n').filter((line) => !/^[#@]/.test(line))
    const [head = '', ...rest] = lines.join('\n').trim().split('\n\n')
    const [line = '', ...headers] = head.split('\n')
    return line === ''
      ? []
      : [{ line, headers: Object.fromEntries(headers.map((header) => header.split(': '))), body: rest.join('\n\n') }]
  })

describe('requests/cairn.http', () => {
  it('runs from top to bottom', async () => {
    const file = readFileSync(new URL('../../requests/cairn.http', import.meta.url), 'utf8')
    const { url: host, adminKey } = story.target
    // A new account, so that the names in the file are free.
    const { apiKey } = await story.member()
    const values: Record<string, string> = { host, adminKey, apiKey, namespace: 'handbook', model: 'lexical' }
    const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? `no ${name}`)
    /** Values that a reader copies from an earlier response. */
    const pasted: Readonly<Record<string, string>> = {
      upload_id: 'uploadId',
      account_id: 'accountId',
      key_id: 'keyId',
      upload_url: 'uploadUrl',
    }
    const refused: string[] = []
    const requests = readRequests(file)
    for (const { line, headers, body } of requests) {
      const [method = '', address = ''] = fill(line).split(' ')
      const response = await fetch(address, {
        method,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
        ...(body === '' ? {} : { body: fill(body) }),
      })
      const text = await response.text()
      if (!response.ok) refused.push(`${line}: ${response.status} ${text}`)
      if (method !== 'POST') continue
      for (const [name, value] of Object.entries(JSON.parse(text)))
        if (pasted[name] !== undefined) values[pasted[name]] = String(value)
    }
    expect(refused).toEqual([])
    expect(requests.length).toBeGreaterThan(20)
  })
})

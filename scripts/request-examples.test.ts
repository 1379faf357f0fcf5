import { expect, it } from 'vitest'
import { examplesOf, requestOfCurl, requestOfHttp } from './lib/request-examples.ts'

const head = `curl -H "x-api-key: $CAIRN_API_KEY" -H 'content-type: application/json'`

it('finds the request of a curl command, on one line or several, and of an http block', () => {
  const request = { method: 'POST', path: '/v1/search', body: { query: 'a' } }
  expect(requestOfCurl(`${head} http://localhost:3000/v1/search -d '{"query":"a"}'`)).toEqual(request)
  expect(requestOfCurl(`${head} \\\n  http://localhost:3000/v1/search \\\n  -d '{"query":\n"a"}'`)).toEqual(request)
  expect(requestOfHttp('POST /v1/search\n\n{ "query": "a" }')).toEqual(request)
  expect(requestOfHttp('GET /v1/namespaces')).toEqual({ method: 'GET', path: '/v1/namespaces' })
})

it('finds a file that is sent, and a request that reads', () => {
  const key = `curl -H "x-api-key: $CAIRN_API_KEY"`
  const upload = requestOfCurl(`${key} -F file=@a/b.md http://localhost:3000/v1/namespaces/n/upload-file`)
  expect(upload).toEqual({ method: 'POST', path: '/v1/namespaces/n/upload-file', file: 'a/b.md' })
  const read = requestOfCurl(`${key} "http://localhost:3000/v1/namespaces/n/files/b.md/status?wait=60"`)
  expect(read).toEqual({ method: 'GET', path: '/v1/namespaces/n/files/b.md/status?wait=60' })
  for (const request of [upload, read])
    expect(request && examplesOf(request).map(({ label }) => label)).toEqual([
      'curl',
      'TypeScript',
      'Python',
      'Command',
    ])
})

it.each(['ls', 'curl http://localhost:3000/readyz', `${head} http://localhost:3000/a -d '{}'\nsleep 2`])(
  'finds none in %j',
  (code) => {
    expect(requestOfCurl(code)).toBeUndefined()
  },
)

it('shows a request in the languages that have it, curl first', () => {
  const labels = (path: string, body: unknown) => examplesOf({ method: 'POST', path, body }).map(({ label }) => label)
  const search = { query: 'a', namespaces: ['n'] }
  expect(labels('/v1/search', search)).toEqual(['curl', 'TypeScript', 'Python', 'Command'])
  // The command has no such option, or no such call.
  expect(labels('/v1/search', { ...search, group_by: 'file' })).toEqual(['curl', 'TypeScript', 'Python'])
  expect(labels('/v1/unknown', {})).toEqual(['curl', 'Python'])
})

it('writes literals as each language does', () => {
  const body = { query: "it's", filter: { 'a-b': true, c: null } }
  const [curl, typescript, python, command] = examplesOf({ method: 'POST', path: '/v1/answer', body })
  expect(curl?.code).toContain(`-d '{"query":"it'\\''s",`)
  expect(typescript?.code).toContain(`{ query: "it's", filter: { "a-b": true, c: null } }`)
  expect(python?.code).toContain(`{'query': "it's", 'filter': {'a-b': True, 'c': None}}`)
  expect(command?.code).toContain(`ask 'it'\\''s' --in`)
})

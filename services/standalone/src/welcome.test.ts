import { embedders } from '@cairn/adapters/embedder/registry'
import type { Embedder, EmbedderStatus } from '@cairn/domain/ports/embedder'
import { letRun } from '@cairn/testing/pass-time'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it, vi } from 'vitest'
import { addressLines, welcome } from './welcome.ts'

const lexical = stubEmbedder({ model: { provider: 'lexical', model: 'words', dimension: 256 } })

/** Creates a model that keeps loading until the test decides the outcome. */
const loadingModel = () => {
  let status: EmbedderStatus = { state: 'loading', detail: 'fetching the model' }
  const { promise, resolve } = Promise.withResolvers<void>()
  const embedder: Embedder = {
    ...stubEmbedder({ model: { provider: 'local', model: 'a-model', dimension: 384 } }),
    status: () => status,
    settled: () => promise,
  }
  const become = (next: EmbedderStatus) => {
    status = next
    if (next.state !== 'loading') resolve()
  }
  return { embedder, become }
}

const defaults = {
  address: 'http://localhost:3456',
  host: 'localhost',
  port: 3_456,
  publicUrl: undefined,
  consoleCode: 'the-code',
  mcp: 'read',
  dataDir: './data',
  newApiKey: 'cairn_the_key',
} as const

const greet = (current: Embedder) => {
  let output = ''
  welcome({
    ...defaults,
    configured: current,
    embedders: embedders(current === lexical ? { current } : { current, fallback: lexical }),
    write: (text) => {
      output += text
    },
  })
  return () => output
}

it('names what is reachable, from where, and with which key', async () => {
  const output = greet(lexical)
  await letRun()
  expect(output()).toBe(`
Cairn is listening on http://localhost:3456
  open to   this machine only; CAIRN_HOST=0.0.0.0 opens it to the network (docs/deployment.md)
  console   http://localhost:3456/#code=the-code
            (the code signs in once, within 10 minutes; \`npm run cairn -- open\` creates another one)
  API       http://localhost:3456/v1, described at http://localhost:3456/docs
  MCP       http://localhost:3456/mcp, for assistants (read only)
  API key   cairn_the_key
            (also in ./data/api-key)
  try       curl -H "x-api-key: $(cat ./data/api-key)" http://localhost:3456/v1/namespaces
  model     ready: words (lexical, 256 dimensions)
`)
})

const lines = (options: Partial<Parameters<typeof addressLines>[0]>) =>
  addressLines({ ...defaults, ...options }).join('\n')

it('prints the key at the first start only, and says afterwards where it is', () => {
  expect(lines({ newApiKey: undefined })).not.toContain('cairn_the_key')
  expect(lines({ newApiKey: undefined })).toContain('API key   in ./data/api-key')
})

it('names the console and MCP only where they are on', () => {
  expect(lines({ consoleCode: undefined })).not.toContain('console')
  expect(lines({ consoleCode: '' })).toContain('console   http://localhost:3456/\n  API')
  expect(lines({ mcp: 'off' })).not.toContain('MCP')
  expect(lines({ mcp: 'write' })).toContain('/mcp, for assistants\n')
})

it('says on an open server which address its links have, and which setting changes it', () => {
  expect(lines({ host: '0.0.0.0' })).toContain(
    '  open to   every network of this machine, on port 3456, without TLS (CAIRN_HOST=0.0.0.0)\n' +
      '  links     begin with http://localhost:3456; set CAIRN_PUBLIC_URL to the address that clients use\n',
  )
})

it('prints links and the code with the address that clients use', () => {
  const behindProxy = lines({ publicUrl: 'https://cairn.example/' })
  expect(behindProxy).toContain('listening on http://localhost:3456')
  for (const path of ['#code=the-code', 'v1', 'docs', 'mcp'])
    expect(behindProxy).toContain(`https://cairn.example/${path}`)
  expect(behindProxy).toContain('http://localhost:3456/v1/namespaces')
})

it('tells each quarter of the way to the model once, then that it is ready', async () => {
  vi.useFakeTimers()
  try {
    const { embedder, become } = loadingModel()
    const output = greet(embedder)
    for (const progress of [0.26, 0.3, 0.49, 0.5, 0.8]) {
      become({ state: 'loading', detail: 'fetching the model', progress })
      vi.advanceTimersByTime(1_000)
    }
    become({ state: 'ready' })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(output().match(/ {2}model .*/g)).toEqual([
      '  model     fetching the model',
      '  model     fetching the model 25 %',
      '  model     fetching the model 50 %',
      '  model     fetching the model 75 %',
      '  model     ready: a-model (local, 384 dimensions)',
    ])
  } finally {
    vi.useRealTimers()
  }
})

it.each(['before', 'after'])('says what became of a model that can not be had, known %s the greeting', async (when) => {
  const { embedder, become } = loadingModel()
  const fail = () => become({ state: 'failed', detail: 'neither the hub nor PyPI could be reached' })
  if (when === 'before') fail()
  const output = greet(embedder)
  if (when === 'after') fail()
  await letRun()
  expect(output()).toContain('neither the hub nor PyPI could be reached')
  expect(output()).toContain('New namespaces are lexical: they are searched by words, not by meaning.')
})

import { embedders } from '@cairn/adapters/embedder/registry'
import type { Embedder, EmbedderStatus } from '@cairn/domain/ports/embedder'
import { letRun } from '@cairn/testing/pass-time'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it, vi } from 'vitest'
import { welcome } from './welcome.ts'

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

const greet = (
  current: Embedder,
  { isFirst = true, consoleCode = 'the-code' }: { isFirst?: boolean; consoleCode?: string | null } = {},
) => {
  let output = ''
  welcome({
    address: 'http://localhost:3456',
    reach: 'this machine only',
    dataDir: './data',
    apiKey: 'cairn_the_key',
    isFirst,
    consoleCode: consoleCode ?? undefined,
    embedders: embedders(current === lexical ? { current } : { current, fallback: lexical }),
    write: (text) => {
      output += text
    },
  })
  return () => output
}

it('says from where it is reachable', () => {
  expect(greet(lexical)()).toContain('Cairn is listening on http://localhost:3456\n  open to   this machine only\n')
})

it('prints address, key, docs and a line that works as it stands', async () => {
  const output = greet(lexical)
  await letRun()
  expect(output()).toContain('Cairn is listening on http://localhost:3456')
  expect(output()).toContain('http://localhost:3456/docs')
  expect(output()).toContain('cairn_the_key')
  expect(output()).toContain('curl -H "x-api-key: $(cat ./data/api-key)" http://localhost:3456/v1/namespaces')
  expect(output()).toContain('ready: words (lexical, 256 dimensions)')
})

it('shows the key at the first start only, and says afterwards where it is', () => {
  const output = greet(lexical, { isFirst: false })
  expect(output()).not.toContain('cairn_the_key')
  expect(output()).toContain('API key   in ./data/api-key')
})

it('prints the address of the console with its code, where there is a console', () => {
  expect(greet(lexical)()).toContain('console   http://localhost:3456/#code=the-code')
  expect(greet(lexical, { consoleCode: null })()).not.toContain('console')
})

it('tells each tenth of the way to the model once, then that it is ready', async () => {
  vi.useFakeTimers()
  try {
    const { embedder, become } = loadingModel()
    const output = greet(embedder)
    for (const progress of [0.11, 0.12, 0.19, 0.2, 0.5]) {
      become({ state: 'loading', detail: 'fetching the model', progress })
      vi.advanceTimersByTime(1_000)
    }
    become({ state: 'ready' })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(output().match(/ {2}model .*/g)).toEqual([
      '  model     fetching the model',
      '  model     fetching the model 10 %',
      '  model     fetching the model 20 %',
      '  model     fetching the model 50 %',
      '  model     ready: a-model (local, 384 dimensions)',
    ])
  } finally {
    vi.useRealTimers()
  }
})

it('says what became of a model that can not be had', async () => {
  const { embedder, become } = loadingModel()
  const output = greet(embedder)
  become({ state: 'failed', detail: 'neither the hub nor PyPI could be reached' })
  await letRun()
  expect(output()).toContain('neither the hub nor PyPI could be reached')
  expect(output()).toContain('New namespaces are lexical: they are searched by words, not by meaning.')
})

import { lazyEmbedder } from '@cairn/adapters/embedder/lazy'
import { embedders } from '@cairn/adapters/embedder/registry'
import { scripts } from '@cairn/contracts/text/scripts'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { useGateway } from '../files/gateway-scene.fixture.ts'

const reads = Object.fromEntries(scripts.map((script) => [script, script === 'Arabic' ? 0.1 : 1]))
const current = { provider: 'local', model: 'current', dimension: 8 } as const
const spare = { provider: 'local', model: 'spare', dimension: 4 } as const
let opened = 0
const lazy = lazyEmbedder(spare, stubEmbedder({ model: spare }), () => {
  opened += 1
  return stubEmbedder({ model: spare })
})
const loading = stubEmbedder({ model: current, reads })
const gateway = useGateway({
  embedders: embedders({
    current: { ...loading, status: () => ({ state: 'loading', detail: 'fetching', progress: 0.4 }) },
    choices: [stubEmbedder(), lazy],
  }),
})

it('lists the models with their state, and loads none of them', async () => {
  const { apiKey } = await gateway().open()
  const response = await fetch(`${gateway().url()}/v1/models`, { headers: { 'x-api-key': apiKey } })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    models: [
      {
        name: 'current',
        provider: 'local',
        dimension: 8,
        is_default: true,
        state: 'loading',
        progress: 0.4,
        unread_scripts: ['Arabic'],
      },
      expect.objectContaining({ name: 'lexical', is_default: false, state: 'ready' }),
      { name: 'spare', provider: 'local', dimension: 4, is_default: false, state: 'idle' },
    ],
  })
  expect(opened).toBe(0)
})

import { embedders } from '@cairn/adapters/embedder/registry'
import { scripts } from '@cairn/contracts/text/scripts'
import { identityOf } from '@cairn/domain/ports/embedder'
import { probeVersion } from '@cairn/domain/text/coverage/measure-coverage'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { useGateway } from '../files/gateway-scene.fixture.ts'

const everything = Object.fromEntries(scripts.map((script) => [script, 1]))
const remote = { provider: 'openai', model: 'remote', dimension: 8 } as const
const known = { provider: 'local', model: 'known', dimension: 8 } as const
const gateway = useGateway({
  embedders: embedders({
    current: stubEmbedder(),
    choices: [
      stubEmbedder({ model: remote }),
      stubEmbedder({ model: known, reads: { ...everything, Arabic: 0.1, Han: 0.4 } }),
    ],
  }),
})

it('names the scripts that a model of the catalogue, or one that was probed, does not read', async () => {
  const { store } = gateway()
  const scene = await gateway().open()
  const unread = async () => {
    const { body } = await scene.call('GET', '')
    expect(body).toHaveProperty('item_count', 0)
    return body['unread_scripts']
  }
  const lexical = (await store.namespaces.get(scene.namespaceId))?.embedding
  if (!lexical) throw new Error('a text namespace has a model')
  expect(await unread()).toBeUndefined()
  await store.namespaces.setEmbedding(scene.namespaceId, lexical, known)
  expect(await unread()).toEqual(['Arabic', 'Chinese'])
  const reads = { ...everything, Thai: 0 }
  await store.modelProbes.record({ id: identityOf(remote), version: probeVersion, reads, at: 0 })
  await store.namespaces.setEmbedding(scene.namespaceId, known, remote)
  expect(await unread()).toEqual(['Thai'])
  const missing = { ...remote, model: 'not offered' }
  await store.namespaces.setEmbedding(scene.namespaceId, remote, missing)
  expect(await unread()).toBeUndefined()
})

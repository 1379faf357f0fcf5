import { join } from 'node:path'
import { embeddingSpaceOf } from '@cairn/domain/embedding-space'
import { embedders } from '@cairn/ports/embedder/registry'
import { createScene, documents, times, wallAt } from '@cairn/ports/metadata/contract/scene'
import { sqliteVectorIndex } from '@cairn/ports/vector-index/sqlite'
import { forFile } from '@cairn/testing/for-file'
import { createManualClock } from '@cairn/testing/manual-clock'
import { stepwiseMetadata } from '@cairn/testing/stepwise-metadata'
import { stubEmbedder } from '@cairn/testing/stub-embedder'
import { expect, it } from 'vitest'
import { searchNamespaces } from './search-namespaces.ts'

const vectorsOfFile = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))

/** The same object, whose methods write down that they were called. */
const watched = <P extends object>(port: P, prefix: string, calls: string[]): P =>
  Object.fromEntries(
    Object.entries(port).map(([name, value]) => {
      if (typeof value === 'object') return [name, watched(value as object, `${prefix}${name}.`, calls)]
      return [
        name,
        (...args: unknown[]) => {
          calls.push(prefix + name)
          return (value as (...of: unknown[]) => unknown)(...args)
        },
      ]
    }),
  ) as P

const setUp = async () => {
  const { clock } = createManualClock(wallAt)
  const metadata = stepwiseMetadata({ now: clock.monotonic })
  const vectors = vectorsOfFile()
  const scene = await createScene(metadata)
  await scene.indexed(documents(times(20, (number) => `d${number}`)))
  await vectors.ensure(embeddingSpaceOf(await scene.namespace()))
  const calls: string[] = []
  const deps = {
    metadata: watched(metadata, '', calls),
    vectors: watched(vectors, 'vectors.', calls),
    embedders: embedders({ current: stubEmbedder() }),
    clock,
  }
  const search = async (query = 'a question') => {
    calls.length = 0
    return searchNamespaces(deps, {
      accountId: scene.accountId,
      namespaces: [scene.name],
      query,
      topK: 10,
      threshold: 0,
    })
  }
  return { ...scene, search, calls }
}

it('names a namespace of which points are missing, as long as it is marked', async () => {
  const { search, metadata, namespaceId, name } = await setUp()
  expect((await search()).degraded).toEqual([])
  await metadata.indexAudit.markLost(namespaceId, wallAt)
  expect((await search()).degraded).toEqual([name])
  expect((await search('#word')).degraded).toEqual([name])
  await metadata.indexAudit.markLost(namespaceId, null)
  expect((await search()).degraded).toEqual([])
})

it('asks nothing more of the stores when nothing is found', async () => {
  const { search, calls } = await setUp()
  expect((await search()).results).toEqual([])
  expect(calls).toEqual(['namespaces.byName', 'vectors.search'])
  expect((await search('#word')).results).toEqual([])
  expect(calls).toEqual(['namespaces.byName', 'vectors.list'])
})

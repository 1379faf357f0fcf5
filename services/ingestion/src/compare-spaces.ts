import type { JobSteps } from '@cairn/domain/jobs/job-run'
import { spaceOfModel } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace, ReindexComparison } from '@cairn/domain/namespaces/record'
import type { Embedder } from '@cairn/domain/ports/embedder'
import { median } from '@cairn/domain/text/median'
import type { IndexDeps } from './deps.ts'

const compared = 10
/** To find ten items, since one may have many points. */
const pointsRead = 100

/** Searches both spaces by meaning alone. Returns undefined without a query, or while a model is not configured. */
export const compareSpaces =
  ({ vectors, embedders, clock }: Pick<IndexDeps, 'vectors' | 'embedders' | 'clock'>, steps: JobSteps) =>
  async (namespace: Namespace): Promise<ReindexComparison | undefined> => {
    const { embedding, reindex } = namespace
    const queries = reindex?.queries ?? []
    const models = [embedding, reindex?.embedding].map((model) => (model ? embedders.of(model) : undefined))
    const [firstModel, secondModel] = models
    if (!firstModel || !secondModel || queries.length === 0) return undefined

    const ask = async (embedder: Embedder, text: string) => {
      const from = clock.monotonic()
      const [vector] = await steps.step('embed', (signal) => embedder.embed([text], { kind: 'query', signal }))
      const query = { namespaceIds: [namespace.id], vector: vector as Float32Array, limit: pointsRead }
      const hits = await steps.step('search', () => vectors.search(spaceOfModel(embedder.model), query))
      const items = [...new Set(hits.map(({ itemId }) => itemId))].slice(0, compared)
      return { items, ms: clock.monotonic() - from }
    }

    const results = []
    for (const text of queries) {
      const first = await ask(firstModel, text)
      const second = await ask(secondModel, text)
      const both = first.items.filter((id) => second.items.includes(id)).length
      results.push({ first, second, overlap: first.items.length === 0 ? 1 : both / first.items.length })
    }
    return {
      queries: results.length,
      overlap: results.reduce((sum, { overlap }) => sum + overlap, 0) / results.length,
      medianMs: median(results.map(({ first }) => first.ms)),
      secondMedianMs: median(results.map(({ second }) => second.ms)),
    }
  }

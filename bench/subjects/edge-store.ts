// An edge store as a library, and in the same process a plain scan that compares a query with every vector in memory.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { dot } from '@cairn/adapters/vector-index/vector-math'
import { openEdgeStore } from '@cairn/edge'
import { answerQuestions, optionsOf } from '../harness/subject.ts'
import { clusteredData, exactScores, nearest, timeSearches } from '../vector-index/data.ts'

export type EdgeSubjectOptions = {
  readonly directory: string
  readonly dimension: number
  readonly rows: number
}
export type Times = { readonly times: readonly number[]; readonly recall: number }

const { directory, dimension, rows } = optionsOf<EdgeSubjectOptions>()
const itemsPerUpload = 500

const openStore = () => openEdgeStore({ file: join(directory, 'edge.db'), maxItems: rows })

const data = clusteredData({ rows, dimension })
const exact = exactScores(data)
const held = new Float32Array(rows * dimension)
let store: Awaited<ReturnType<typeof openStore>>

/** Fills the store and leaves a copy of its file that another process can open. */
const fill = async (): Promise<void> => {
  const filling = await openStore()
  for (let from = 0; from < rows; from += itemsPerUpload) {
    const items = data.rows
      .slice(from, from + itemsPerUpload)
      .map(({ id, vector }) => ({ id, vector, text: `Text of ${id}. `.repeat(20) }))
    await filling.upload({ store_mode: 'text', embedding_model: 'bench', items })
  }
  await filling.close()
  copyFileSync(join(directory, 'edge.db'), join(directory, 'served.db'))
  for (const [i, { vector }] of data.rows.entries()) held.set(vector, i * dimension)
  store = await openStore()
}

/** Returns the positions of the nearest vectors, best first. */
const scanAll = (query: Float32Array): number[] => {
  const best: { readonly at: number; readonly score: number }[] = []
  for (let index = 0; index < rows; index += 1) {
    const score = dot(query, held, index * dimension)
    if (best.length === nearest && score <= best[nearest - 1]!.score) continue
    let place = best.length
    while (place > 0 && best[place - 1]!.score < score) place -= 1
    best.splice(place, 0, { at: index, score })
    if (best.length > nearest) best.pop()
  }
  return best.map(({ at }) => at)
}

answerQuestions(
  {
    fill,
    search: () =>
      timeSearches(data, exact, async (query) => {
        const { results } = await store.search({ query, top_k: nearest })
        return results.map(({ id }) => id)
      }),
    scan: () => timeSearches(data, exact, (query) => scanAll(query).map((index) => `item-${index}`)),
    queries: () => data.queries.map((query) => Array.from(query)),
  },
  async () => store?.close(),
)

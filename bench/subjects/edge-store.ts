// An edge store as a library, and beside it in the same process what it could be instead: every vector in memory, all compared.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dot } from '@cairn/adapters/vector-index/vector-math'
import { answerQuestions, optionsOf } from '../harness/subject.ts'
import { clusteredData, exactScores, nearest, recallOf } from '../vector-index/data.ts'

export type EdgeSubjectOptions = {
  readonly directory: string
  readonly dimension: number
  readonly rows: number
  /** The comparison of every vector by itself, with what `fill` has left. */
  readonly scanOnly?: boolean
}
export type Times = { readonly times: readonly number[]; readonly recall: number }

const { directory, dimension, rows, scanOnly = false } = optionsOf<EdgeSubjectOptions>()
const itemsPerUpload = 500
const warmUp = 50
const vectorsFile = join(directory, 'vectors.bin')

const makeData = () => {
  const data = clusteredData({ rows, dimension })
  return { data, exact: exactScores(data) }
}
const openStore = async () => {
  const { openEdgeStore } = await import('@cairn/edge')
  return openEdgeStore({ file: join(directory, 'edge.db'), maxItems: rows })
}

let made: ReturnType<typeof makeData> | undefined
let store: Awaited<ReturnType<typeof openStore>> | undefined
let held = new Float32Array()

/** Fills the store and leaves a copy of its file, which another process can open. */
const fill = async (): Promise<void> => {
  made ??= makeData()
  const { data } = made
  const filling = await openStore()
  for (let from = 0; from < rows; from += itemsPerUpload) {
    const items = data.rows
      .slice(from, from + itemsPerUpload)
      .map(({ id, vector }) => ({ id, vector, text: `Text of ${id}. `.repeat(20) }))
    await filling.upload({ store_mode: 'text', embedding_model: 'bench', items })
  }
  await filling.close()
  copyFileSync(join(directory, 'edge.db'), join(directory, 'served.db'))
  held = new Float32Array(rows * dimension)
  for (const [i, { vector }] of data.rows.entries()) held.set(vector, i * dimension)
  writeFileSync(vectorsFile, new Uint8Array(held.buffer))
  store = await openStore()
}

/** Positions of the nearest, best first. */
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

/** Every query once, one after the other, after some to warm up. */
const timed = async (find: (query: Float32Array) => string[] | Promise<string[]>): Promise<Times> => {
  const { data, exact } = made as ReturnType<typeof makeData>
  for (const query of data.queries.slice(0, warmUp)) await find(query)
  const answers: string[][] = []
  const times: number[] = []
  for (const query of data.queries) {
    const from = performance.now()
    answers.push(await find(query))
    times.push(performance.now() - from)
  }
  return { times, recall: recallOf(data, answers, exact) }
}

const commands = {
  fill,
  search: () =>
    timed(async (query) => {
      const { results } = await (store as NonNullable<typeof store>).search({ query, top_k: nearest })
      return results.map(({ id }) => id)
    }),
  scan: () => timed((query) => scanAll(query).map((index) => `item-${index}`)),
  /** Queries for whoever asks another process. */
  queries: () => (made as ReturnType<typeof makeData>).data.queries.map((query) => Array.from(query)),
  /** One answer: from here on a process that only scans can serve. */
  scanOnce: () => scanAll(new Float32Array(dimension).fill(1)).length,
}

if (scanOnly) held = new Float32Array(new Uint8Array(readFileSync(vectorsFile)).buffer)
answerQuestions(commands, async () => store?.close())

// npm run eval -- FOLDER… [--embedder local|lexical|…] [--mode hybrid,semantic,lexical] [--context] [--rerank] [--answers]
// [--json FILE]
// Measures the search quality of one process on test collections in BEIR's format (corpus.jsonl, queries.jsonl,
// qrels.tsv), through the API and in each mode; compares the first mode with the others, query by query.
// npm run eval -- questions: asks the questions of e2e/eval/questions, and judges what is answered.
// npm run eval -- build readmes|manual FOLDER: builds such a collection from files of this machine (docs/evaluation.md).
import { writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { operations } from '@cairn/contracts/api/operations'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { slices } from '@cairn/contracts/flow/slices'
import { type SearchMode, searchModes } from '@cairn/contracts/http/search'
import { limits } from '@cairn/contracts/limits'
import { interval95, mean, ndcg, pairedP, recall, reciprocalRank } from '@cairn/contracts/text/measures'
import { eventually } from '@cairn/testing/eventually'
import { type Client, createClient } from '../client.ts'
import { startStandalone } from '../target.ts'
import { measureAnswers } from './answers.ts'
import { buildTestSet } from './build-test-set.ts'
import { measureQuestions } from './questions.ts'
import { readTestSet, sentQuery, type TestSet } from './test-set.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    embedder: { type: 'string', default: 'local' },
    model: { type: 'string' },
    mode: { type: 'string', default: 'hybrid,semantic,lexical' },
    json: { type: 'string' },
    context: { type: 'boolean', default: false },
    answers: { type: 'boolean', default: false },
    rerank: { type: 'boolean', default: false },
  },
})
const usage =
  'npm run eval -- FOLDER… [--embedder local|lexical] [--model NAME] [--mode hybrid,semantic,lexical] [--context] [--rerank] [--answers] [--json FILE]\nnpm run eval -- build readmes|manual FOLDER\nnpm run eval -- questions'
const modes = values.mode.split(',').flatMap((name) => searchModes.find((mode) => mode === name) ?? [])

/** Settings of the reranker: those of the environment, otherwise a model that is fetched. A slow one is not cut off. */
const rerankSettings = (): Record<string, string> => {
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith('CAIRN_RERANK_') && value ? [[name, value] as const] : [],
  )
  const isChosen = own.some(([name]) => /_(URL|MODEL_DIR|LOCAL_MODEL)$/.test(name))
  const chosen = isChosen ? {} : { CAIRN_RERANK_LOCAL_MODEL: 'ms-marco-MiniLM-L6-v2' }
  return { CAIRN_RERANK_TIMEOUT_MS: '60000', ...chosen, ...Object.fromEntries(own) }
}
/** Number of hits that a search reranks when it returns no more than that. */
const reranked = 50
const rerankerWithinMs = 600_000

const uploadsAtOnce = 4
const indexedWithinMs = 3_600_000
const say = (line: string): void => console.log(line)

/**
 * Uploads the documents under the ids `d0`, `d1` …, because the collection's ids may be anything. Resolves to the
 * number of documents left out.
 */
const fill = async (api: Client, namespace: string, { documents }: TestSet): Promise<number> => {
  const params = { namespace_name: namespace }
  const texts = new Map(documents.map(({ id, text }) => [id, text]))
  const contextOf = (id: string) => (texts.get(id.replace(/_chunk_\d+$/, '_chunk_0')) ?? '').slice(0, 200)
  const usable = documents.flatMap(({ id, text }, index) => {
    const cut = [...text.toWellFormed()].slice(0, limits.maxTextLength).join('')
    const context = values.context ? { context: contextOf(id).toWellFormed() } : {}
    return [...cut.trim()].length < limits.minTextLength ? [] : [{ id: `d${index}`, text: cut, ...context }]
  })
  await atOnce(uploadsAtOnce, slices(usable, limits.documentsPerUpload), async (batch) => {
    const sent = { params, body: { documents: batch } }
    const { body } = await api.call(operations.uploadDocuments, sent, 202)
    const ended = await eventually(
      async () =>
        (await api.call(operations.getUpload, { params: { ...params, upload_id: body.upload_id } }, 200)).body,
      ({ finished_at: finishedAt }) => finishedAt !== null,
      { withinMs: indexedWithinMs, everyMs: 200 },
    )
    if (ended.counts.completed !== batch.length) throw new Error(`not all was indexed: ${JSON.stringify(ended.counts)}`)
  })
  return documents.length - usable.length
}

/** Waits until the reranker has fetched and loaded its model. */
const rerankerLoaded = async (api: Client): Promise<void> => {
  const body = { query: 'a question', namespaces: ['eval'], rerank: true }
  const answer = await eventually(
    () => api.any(operations.search, { body }),
    ({ status }) => status !== 503,
    { withinMs: rerankerWithinMs, everyMs: 1_000 },
  )
  if (answer.status !== 200) throw new Error(`a reranked search answered ${answer.status}: ${answer.body['message']}`)
}

type Way = { readonly mode: SearchMode; readonly rerank: boolean }
const nameOf = ({ mode, rerank }: Way): string => (rerank ? `${mode}+rerank` : mode)

const measure = async (api: Client, namespace: string, { documents, queries }: TestSet, { mode, rerank }: Way) => {
  const results = await atOnce(1, queries, async ({ text, grades }) => {
    const body = {
      query: sentQuery(text),
      namespaces: [namespace],
      top_k: rerank ? reranked : limits.topK,
      mode,
      rerank,
    }
    const answer = await api.call(operations.search, { body }, 200)
    const ranking = answer.body.results.map(({ id }) => documents[Number(String(id).slice(1))]?.id ?? '')
    return {
      ndcg10: ndcg(ranking, grades, 10),
      recall10: recall(ranking, grades, 10),
      recall100: recall(ranking, grades, 100),
      reciprocalRank: reciprocalRank(ranking, grades),
      ms: answer.ms,
    }
  })
  const times = results.map(({ ms }) => ms).sort((a, b) => a - b)
  const of = (figure: 'ndcg10' | 'recall10' | 'recall100' | 'reciprocalRank') => results.map((one) => one[figure])
  return {
    ndcg10OfEach: of('ndcg10'),
    ndcg10: mean(of('ndcg10')),
    ndcg10Interval: interval95(of('ndcg10')),
    recall10: mean(of('recall10')),
    recall100: mean(of('recall100')),
    reciprocalRank: mean(of('reciprocalRank')),
    p50Ms: times[Math.floor(times.length * 0.5)] ?? 0,
    p95Ms: times[Math.floor(times.length * 0.95)] ?? 0,
  }
}

type Figures = Omit<Awaited<ReturnType<typeof measure>>, 'ndcg10OfEach'>
const lineOf = (way: Way, figures: Figures, p: number | undefined): string => {
  const [low, high] = figures.ndcg10Interval
  const quality = `nDCG@10 ${figures.ndcg10.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})  recall@10 ${figures.recall10.toFixed(3)}  recall@100 ${figures.recall100.toFixed(3)}  MRR ${figures.reciprocalRank.toFixed(3)}`
  const times = `p50 ${figures.p50Ms.toFixed(1)} ms  p95 ${figures.p95Ms.toFixed(1)} ms`
  return `  ${nameOf(way).padEnd(15)}  ${quality}  ${times}${p === undefined ? '' : `  p ${p.toFixed(4)}`}`
}

const askQuestions = async (): Promise<void> => {
  const target = await startStandalone({ env: { CAIRN_EMBEDDER: values.embedder } })
  try {
    const asked = await measureQuestions(createClient(target.url, { 'x-api-key': target.apiKey }), say)
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(asked, null, 2)}\n`)
  } finally {
    await target.stop()
  }
}

const evaluate = async (folders: readonly string[]): Promise<void> => {
  const reports = []
  for (const folder of folders) {
    const name = basename(resolve(folder))
    const set = readTestSet(folder)
    const env = {
      CAIRN_EMBEDDER: values.embedder,
      ...(values.model && { CAIRN_LOCAL_MODEL: values.model }),
      ...(values.rerank && rerankSettings()),
    }
    const target = await startStandalone({ env })
    try {
      const api = createClient(target.url, { 'x-api-key': target.apiKey })
      await api.call(operations.createNamespace, { body: { namespace_name: 'eval', type: 'text' } }, 201)
      const from = performance.now()
      const leftOut = await fill(api, 'eval', set)
      const seconds = (performance.now() - from) / 1_000
      say(
        `${name}: ${set.documents.length - leftOut} documents (${leftOut} too short) in ${seconds.toFixed(0)} s, ${set.queries.length} queries, ${values.embedder}`,
      )
      let first: readonly number[] | undefined
      const ways = modes.flatMap((mode) =>
        [false, ...(values.rerank ? [true] : [])].map((rerank) => ({ mode, rerank })),
      )
      if (values.rerank) await rerankerLoaded(api)
      for (const way of ways) {
        const { ndcg10OfEach, ...figures } = await measure(api, 'eval', set, way)
        const p = first && pairedP(first, ndcg10OfEach)
        first ??= ndcg10OfEach
        say(lineOf(way, figures, p))
        const about = { name, embedder: values.embedder, mode: nameOf(way), documents: set.documents.length, leftOut }
        reports.push({ ...about, ...figures, ndcg10OfEach, ...(p === undefined ? {} : { p }) })
      }
      if (values.answers && set.queries.some(({ answers }) => answers)) {
        const { figures, line } = await measureAnswers(api, 'eval', set.queries)
        say(line)
        reports.push({ name, embedder: values.embedder, ...figures })
      }
    } finally {
      await target.stop()
    }
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(reports, undefined, 2)}\n`)
}

const [first, kind, folder] = positionals
if (first === 'build' && folder !== undefined && (kind === 'readmes' || kind === 'manual')) {
  const { documents, queries } = await buildTestSet(kind, folder)
  say(`${folder}: ${documents} documents, ${queries} queries`)
} else if (first === 'questions') await askQuestions()
else if (first !== undefined && first !== 'build' && modes.length > 0) await evaluate(positionals)
else {
  say(usage)
  process.exitCode = 2
}

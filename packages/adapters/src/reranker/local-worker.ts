import { readFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { Tokenizer } from '@huggingface/tokenizers'
import { openModel } from '../embedder/local/open-model.ts'
import { serveTasks } from '../embedder/local/serve-tasks.ts'
import { logistic } from './logistic.ts'

export type RerankWorkerData = { readonly modelFile: string; readonly tokenizerFile: string }

const { modelFile, tokenizerFile } = workerData as RerankWorkerData

/** Tokens of a pair, special ones included; cross-encoders of this kind are trained with it. */
const window = 512
/** UTF-16 units. Bounds tokenizing; longer than half a window for most queries. */
const maxQueryLength = 1_000
/** UTF-16 units. Bounds tokenizing; longer than a window for most texts. */
const maxTextLength = 10_000

/**
 * The text keeps at least half of the window, or all its tokens if it has fewer. Keeps the last token of the query and
 * of the pair, which are terminators.
 */
const cut = (values: readonly number[], queryTokens: number): readonly number[] => {
  if (values.length <= window) return values
  const kept = Math.min(queryTokens, Math.max(window / 2, window - (values.length - queryTokens)))
  const text = values.slice(queryTokens, queryTokens + window - kept - 1)
  return [...values.slice(0, kept - 1), ...values.slice(queryTokens - 1, queryTokens), ...text, ...values.slice(-1)]
}

await serveTasks(async () => {
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(tokenizerFile, 'utf8')), {})
  const run = await openModel(modelFile)
  const judge = async (query: string, text: string): Promise<Float32Array<ArrayBuffer>> => {
    const begun = query.slice(0, maxQueryLength)
    const queryTokens = tokenizer.encode(begun).ids.length
    const { ids, token_type_ids } = tokenizer.encode(begun, {
      text_pair: text.slice(0, maxTextLength),
      return_token_type_ids: true,
    })
    const { data, type, dims } = (await run(cut(ids, queryTokens), cut(token_type_ids, queryTokens))) ?? {}
    const [score] = data instanceof Float32Array && data.length === 1 ? data : []
    if (score === undefined || !Number.isFinite(score))
      throw new Error(`the model answers ${type} [${dims}], not one finite float32`)
    return Float32Array.of(logistic(score))
  }
  // A file that loads but can't score must fail here.
  await judge('A query.', 'A text.')
  return ({ text }) => {
    const [query, judged] = JSON.parse(text) as [string, string]
    return judge(query, judged)
  }
})

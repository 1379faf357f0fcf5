import { Cairn, type Evaluation, type Namespace } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { type SearchMode, searchModes } from '@cairn/contracts/http/search'
import { limits } from '@cairn/contracts/limits'
import { pairedP } from '@cairn/contracts/text/measures'
import type { Command, Context, Input } from './command.ts'
import { type QuestionSet, readQuestions } from './eval/read-questions.ts'
import { changeOf, measure, reportOf, worstOf } from './eval/report.ts'
import type { Score } from './eval/score-hits.ts'
import { searchQuestions } from './eval/search-questions.ts'
import { numberOf } from './number-of.ts'

/** More than in other commands, because thousands of searches may be slowed down. */
const retries = 8
const minTopK = 10

const modeOf = (input: Input, option: 'mode' | 'against'): SearchMode | undefined => {
  const text = input.text(option)
  const mode = searchModes.find((each) => each === text)
  if (text !== undefined && !mode) throw new AppError('invalid', `--${option} must be one of ${searchModes.join(', ')}`)
  return mode
}

const optionsOf = (input: Input) => {
  const [mode = 'hybrid', against, againstId] = [
    modeOf(input, 'mode'),
    modeOf(input, 'against'),
    input.text('against-id'),
  ]
  if (against && againstId !== undefined) throw new AppError('invalid', 'Use --against or --against-id, not both')
  if (against === mode) throw new AppError('invalid', `--against must be another mode than ${mode}`)
  const topK = numberOf(input, 'top-k') ?? minTopK
  if (topK < minTopK || topK > limits.topK)
    throw new AppError('invalid', `--top-k must be a number from ${minTopK} to ${limits.topK}`)
  return { mode, against, againstId, topK }
}

type Scope = {
  readonly context: Context
  readonly cairn: Cairn
  readonly namespace: Namespace
  readonly set: QuestionSet
  readonly topK: number
}
type Worst = ReturnType<typeof worstOf>
/** `ndcgs`: by question. */
type Earlier = { readonly id: string; readonly ndcgs: readonly number[] }

const findNamespace = async (cairn: Cairn, name: string, signal: AbortSignal): Promise<Namespace> => {
  const namespace = await cairn.namespaces.get(name, { signal })
  if (!namespace) throw new AppError('notFound', `There is no namespace "${name}"`)
  if (namespace.type === 'text') return namespace
  throw new AppError('invalid', `"${name}" is a vector namespace: only text namespaces are searched by questions`)
}

/** Reads the last one of the same questions and mode, unless an id is `chosen`. */
const readEarlier = async (
  { context: { signal }, cairn, namespace, set }: Scope,
  mode: SearchMode,
  chosen: string | undefined,
): Promise<Earlier | undefined> => {
  const name = namespace.namespace_name
  const isComparable = (one: Evaluation) => one.questions_hash === set.hash && one.mode === mode
  const id = chosen ?? (await cairn.evaluations.list(name, { signal })).find(isComparable)?.evaluation_id
  if (id === undefined) return undefined
  const { questions_hash: hash, scores } = await cairn.evaluations.get(name, id, { signal })
  if (hash !== set.hash) throw new AppError('conflict', `The evaluation "${id}" is of other questions`)
  return { id, ndcgs: scores.ndcg_at_10 }
}

const keep = (
  { context: { signal }, cairn, namespace, set }: Scope,
  mode: SearchMode,
  scores: readonly Score[],
  worst: Worst,
  earlier: Earlier | undefined,
): Promise<Evaluation> => {
  const ndcgs = scores.map(({ ndcg }) => ndcg)
  const result = {
    questions_hash: set.hash,
    mode,
    model: namespace.model ?? '',
    ndcg_at_10: ndcgs,
    recall_at_10: scores.map(({ recall }) => recall),
    first_ranks: scores.map(({ firstRank }) => firstRank),
    worst,
    ...(earlier && { against: { evaluation_id: earlier.id, p: pairedP(ndcgs, earlier.ndcgs) } }),
  }
  return cairn.evaluations.keep(namespace.namespace_name, result, { signal })
}

const evaluate = async (scope: Scope, mode: SearchMode, earlier: Earlier | undefined) => {
  const { context, cairn, namespace, set, topK } = scope
  const options = { cairn, namespace: namespace.namespace_name, mode, topK }
  const scores = await searchQuestions(context, set.questions, options)
  const [measured, worst] = [measure(scores), worstOf(set.questions, scores)]
  context.print(reportOf(mode, measured, worst))
  const evaluation = await keep(scope, mode, scores, worst, earlier)
  const { ndcg_at_10: ndcg, recall_at_10: recall } = measured
  const intervals = { ndcg_at_10: ndcg.interval, recall_at_10: recall.interval }
  return { evaluation, ndcgs: scores.map(({ ndcg }) => ndcg), data: { ...evaluation, intervals, worst } }
}

export const evalCommand: Command = {
  name: 'eval',
  summary: 'Measure how well a namespace is searched, by questions with known answers',
  arguments: [
    { name: 'namespace', description: 'The text namespace.' },
    { name: 'questions', description: 'A file with a question on each line.' },
  ],
  options: {
    mode: { type: 'string', value: 'mode', description: 'hybrid, semantic or lexical. Default: hybrid.' },
    'top-k': { type: 'string', value: 'number', description: 'Results of each search, 10 to 100. Default: 10.' },
    against: { type: 'string', value: 'mode', description: 'Compare with this mode, searched now.' },
    'against-id': {
      type: 'string',
      value: 'id',
      description: 'Compare with this evaluation. Default: the last one of the same questions and mode.',
    },
  },
  notes: [
    'A line is {"question": "…", "expected": ["id"]}, or has the names of files in "files".',
    'Exit code 1 means a significant loss (p below 0.01); other failures have other codes.',
    'Each question is a request of your account. The result is kept on the server, which needs the scopes read and write.',
  ],
  reservesExitCode1: true,
  run: async (context, input) => {
    const { settings, signal, print } = context
    const { mode, against, againstId, topK } = optionsOf(input)
    const set = await readQuestions(input.argument('questions'))
    const cairn = new Cairn({ url: settings.url, apiKey: settings.apiKey(), retries })
    const namespace = await findNamespace(cairn, input.argument('namespace'), signal)
    const scope: Scope = { context, cairn, namespace, set, topK }
    let earlier: Earlier | undefined
    if (against) {
      const other = await evaluate(scope, against, undefined)
      earlier = { id: other.evaluation.evaluation_id, ndcgs: other.ndcgs }
      print('\n')
    } else earlier = await readEarlier(scope, mode, againstId)
    const { evaluation, data } = await evaluate(scope, mode, earlier)
    const change = changeOf(evaluation)
    print(`\n${change}\n`)
    const isLoss = evaluation.change?.significant === true && evaluation.change.difference < 0
    return { data, ...(isLoss && { failed: `Significant loss: ${change}` }) }
  },
}

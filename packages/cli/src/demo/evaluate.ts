import { Cairn } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import type { Context, Result } from '../command.ts'
import type { DemoQuery } from '../demo-queries.ts'
import { duration } from '../duration.ts'
import { table } from '../table.ts'
import { indexTexts } from './index-texts.ts'
import type { Patience } from './patience.ts'
import { createProgress, rate } from './progress.ts'
import { rankOf, searchTexts } from './search-texts.ts'
import { startServer } from './start-server.ts'
import type { Texts } from './texts.ts'
import { waitUntilReady } from './wait-until-ready.ts'

/** Least hits in the first 3 with `model` or `mixed`; at most `lexical` without, or no model would be needed. */
export const goal = { first: 3, model: 10, lexical: 6, mixed: 10 } as const
const rankLimit = 100

type Ranks = readonly (number | undefined)[]

type Options = {
  readonly context: Context
  readonly namespace: string
  readonly found: Texts
  readonly queries: readonly DemoQuery[]
  /** Reported separately, without a goal. */
  readonly harder: readonly DemoQuery[]
  readonly mixed: readonly DemoQuery[]
  readonly patience: Patience
}

/** Starts a separate server, whose texts are embedded by `embedder`. */
const ranksWith = async (
  embedder: string,
  { context, namespace, found, queries, harder, mixed, patience }: Options,
): Promise<Ranks> => {
  const { note, isTerminal, signal } = context
  note(`${embedder}\n`)
  const server = await startServer(context.settings.env, { embedder, signal })
  try {
    const cairn = new Cairn({ url: server.url, apiKey: server.apiKey })
    const remark = await waitUntilReady(cairn, patience, note)
    if (remark !== undefined) throw new AppError('unavailable', `There is nothing to compare: ${remark}`)
    const progress = createProgress({ write: note, isTerminal, now: () => performance.now() })
    const { indexed, failed, seconds } = await indexTexts({ cairn, namespace, texts: found.texts, progress, patience })
    note(
      `  indexed   ${indexed} documents in ${duration(seconds)} (${rate(indexed, seconds)}/s)${failed.length > 0 ? `, ${failed.length} failed` : ''}\n`,
    )
    const ranks: (number | undefined)[] = []
    for (const { query, expected } of [...queries, ...harder, ...mixed])
      ranks.push(rankOf(await searchTexts({ cairn, namespace, patience }, query, rankLimit), expected))
    return ranks
  } finally {
    await server.stop()
  }
}

const foundIn = (ranks: Ranks): number => ranks.filter((rank) => rank !== undefined && rank <= goal.first).length

/** Runs the queries once with the model and once with keyword search. */
export const evaluate = async (options: Options): Promise<Result> => {
  const { context, found, queries, harder, mixed } = options
  const embedder = context.settings.env['CAIRN_EMBEDDER'] || 'local'
  if (embedder === 'lexical')
    throw new AppError('invalid', '--evaluate compares a model with lexical search: CAIRN_EMBEDDER must not be lexical')
  const names = new Set(found.texts.map(({ name }) => name))
  const missing = [...queries, ...harder, ...mixed]
    .filter(({ expected }) => !names.has(expected))
    .map(({ expected }) => expected)
  if (missing.length > 0)
    throw new AppError('notFound', `These packages are not installed with their README: ${missing.join(', ')}`)
  const model = await ranksWith(embedder, options)
  const lexical = await ranksWith('lexical', options)
  const rows = [...queries, ...harder, ...mixed].map(({ query, expected }, index) => ({
    query,
    expected,
    model: model[index] ?? null,
    lexical: lexical[index] ?? null,
  }))
  const totalOf = (from: number, to: number) => ({
    model: foundIn(model.slice(from, to)),
    lexical: foundIn(lexical.slice(from, to)),
    queries: to - from,
  })
  const totals = totalOf(0, queries.length)
  const harderTotals = totalOf(queries.length, queries.length + harder.length)
  const mixedTotals = totalOf(queries.length + harder.length, rows.length)
  const met = totals.model >= goal.model && totals.lexical <= goal.lexical && mixedTotals.model >= goal.mixed
  const rankText = (rank: number | null) => rank ?? `>${rankLimit}`
  context.print(
    table<(typeof rows)[number]>(
      [
        { title: 'MODEL', value: (row) => rankText(row.model), right: true },
        { title: 'LEXICAL', value: (row) => rankText(row.lexical), right: true },
        { title: 'EXPECTED', value: (row) => row.expected },
        { title: 'QUERY', value: (row) => row.query },
      ],
      rows,
    ),
  )
  const describe = (what: string, total: typeof totals) =>
    context.print(
      `${what}: ${embedder} ${total.model} of ${total.queries}, lexical ${total.lexical} of ${total.queries}\n`,
    )
  context.print(`\nExpected package among the first ${goal.first}\n`)
  describe('  the demo', totals)
  describe('  a harder dozen, without a goal', harderTotals)
  describe('  a dozen of meanings and names', mixedTotals)
  return {
    data: {
      embedder,
      documents: found.texts.length,
      found_within: goal.first,
      totals,
      harder_totals: harderTotals,
      mixed_totals: mixedTotals,
      goal_met: met,
      queries: rows,
    },
    ...(met
      ? {}
      : {
          failed: `The goal is missed: ${embedder} at least ${goal.model}, lexical at most ${goal.lexical}; of the mixed ones at least ${goal.mixed}`,
        }),
  }
}

import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Cairn, CairnError } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { announce, namespaceOn } from './announce.ts'
import type { Command, Context, Input, Result } from './command.ts'
import { collectTexts } from './demo/collect-texts.ts'
import { evaluate } from './demo/evaluate.ts'
import { indexTexts } from './demo/index-texts.ts'
import type { Patience } from './demo/patience.ts'
import { createProgress, rate } from './demo/progress.ts'
import { readFolder } from './demo/read-folder.ts'
import { readReadmes } from './demo/read-readmes.ts'
import { describeHits, rankOf, searchTexts } from './demo/search-texts.ts'
import { type Server, startServer } from './demo/start-server.ts'
import type { Texts } from './demo/texts.ts'
import { waitUntilReady } from './demo/wait-until-ready.ts'
import { type DemoQuery, demoQueries, hardQueries, mixedQueries } from './demo-queries.ts'
import { duration } from './duration.ts'
import { keyOption } from './namespaces.ts'
import { printable } from './table.ts'

const nodeModules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const hitsShown = 3
/** Long, because a model may have to be downloaded first. */
const giveUpAfterMs = 20 * 60_000
const pollEveryMs = 250

type EvaluatedQuery = Pick<DemoQuery, 'query'> & Partial<DemoQuery>

const checkServer = async (cairn: Cairn, signal: AbortSignal): Promise<void> => {
  try {
    await cairn.readiness({ signal })
  } catch (error) {
    if (!(error instanceof CairnError && ['network', 'timeout'].includes(error.code))) throw error
    throw new AppError(
      'unavailable',
      `${error.message}: start one with "npm start", or use --start to run one for the demo`,
    )
  }
}

/** The fixed queries apply only to the READMEs of this repository's packages. */
const prepare = async (
  input: Input,
): Promise<{ readonly found: Texts; readonly queries: readonly EvaluatedQuery[]; readonly from: string }> => {
  const folder = input.optional('folder')
  const queries = input.texts('query').map((query) => ({ query }))
  const from = folder === undefined ? nodeModules : resolve(folder)
  const found = await collectTexts(folder === undefined ? readReadmes(nodeModules) : readFolder(from))
  if (found.texts.length === 0)
    throw new AppError(
      'notFound',
      `There is no ${folder === undefined ? 'README.md' : '.md or .txt file with text'} below ${from}`,
    )
  return { found, from, queries: queries.length > 0 || folder !== undefined ? queries : demoQueries }
}

type Source = Awaited<ReturnType<typeof prepare>>
type Reached = {
  readonly cairn: Cairn
  readonly namespace: string
  readonly patience: Patience
  readonly hint: string
}

const fill = async (
  { print, note, isTerminal }: Context,
  { found }: Source,
  { cairn, namespace, patience }: Reached,
) => {
  const remark = await waitUntilReady(cairn, patience, note)
  if (remark !== undefined) note(`  model     ${remark}\n`)
  const progress = createProgress({ write: note, isTerminal, now: () => performance.now() })
  const result = await indexTexts({ cairn, namespace, texts: found.texts, progress, patience })
  const { indexed, failed, seconds } = result
  const skipped = Object.entries(found.skipped).map(([reason, count]) => `, ${count} ${reason}`)
  print(
    `Indexed ${indexed} documents from ${found.sources} texts in ${duration(seconds)} (${rate(indexed, seconds)}/s)${skipped.join('')}${failed.length > 0 ? `, ${failed.length} failed` : ''}.\n`,
  )
  for (const { id, why } of failed.slice(0, 5)) note(`  failed    ${printable(`${id}: ${why}`)}\n`)
  return result
}

const runQueries = async ({ print }: Context, queries: readonly EvaluatedQuery[], reached: Reached) => {
  const searches: unknown[] = []
  const ranks: (number | undefined)[] = []
  for (const { query, expected } of queries) {
    const hits = await searchTexts(reached, query, expected === undefined ? hitsShown : 10)
    const rank = expected === undefined ? undefined : rankOf(hits, expected)
    if (expected !== undefined) ranks.push(rank)
    print(`\n${query}\n${describeHits(hits.slice(0, hitsShown))}`)
    searches.push({
      query,
      ...(expected === undefined ? {} : { expected, rank: rank ?? null }),
      hits: hits.slice(0, hitsShown).map(({ id, score, label }) => ({ id, score, label })),
    })
  }
  const within = ranks.filter((rank) => rank !== undefined && rank <= hitsShown).length
  if (ranks.length > 0)
    print(`\nThe package each query is about is among the first ${hitsShown} hits in ${within} of ${ranks.length}.\n`)
  if (queries.length === 0) print(`\nSearch it with:\n  ${reached.hint}\n`)
  return { searches, ...(ranks.length > 0 ? { found: { within: hitsShown, expected: within, of: ranks.length } } : {}) }
}

const runWith = async (context: Context, input: Input, source: Source, server: Server | undefined): Promise<Result> => {
  const { settings, signal } = context
  const url = server?.url ?? settings.url
  const namespace = input.text('namespace') ?? 'demo'
  const cairn = new Cairn({ url, apiKey: server?.apiKey ?? input.text('key') ?? settings.apiKey() })
  await checkServer(cairn, signal)
  const to = server ? `namespace "${namespace}" on ${url} (started for the demo)` : namespaceOn(context, namespace)
  announce(context, `${source.found.texts.length} documents from ${source.from}`, to)
  const folder = input.optional('folder')
  const again = `npm run demo --${folder === undefined ? '' : ` ${folder}`}${server ? ' --start' : ''} --query "your question"`
  const reached = { cairn, namespace, patience: { giveUpAfterMs, pollEveryMs, signal }, hint: again }
  const { indexed, failed, seconds } = await fill(context, source, reached)
  const { skipped } = source.found
  return {
    data: { namespace, indexed, failed, skipped, seconds, ...(await runQueries(context, source.queries, reached)) },
  }
}

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Index real text and search it: the README of every installed package, or a folder',
  arguments: [
    { name: 'folder', description: 'Its .md and .txt files are indexed instead of the READMEs.', optional: true },
  ],
  options: {
    query: {
      type: 'string',
      value: 'question',
      multiple: true,
      description: 'Search for this instead of the fixed queries; may be repeated.',
    },
    namespace: { type: 'string', value: 'name', description: 'The namespace for the documents. Default: demo.' },
    key: keyOption,
    start: {
      type: 'boolean',
      description: 'Run a server for the demo, on a free port with a temporary data directory.',
    },
    evaluate: {
      type: 'boolean',
      description: 'Compare the model with lexical search on two such servers; fails below the goal.',
    },
  },
  notes: ['Existing documents with the same ids are replaced; the others are not changed.'],
  run: async (context, input) => {
    const { settings, signal } = context
    if (input.flag('evaluate')) {
      if (input.optional('folder') !== undefined || input.texts('query').length > 0)
        throw new AppError('invalid', '--evaluate runs the fixed queries on the READMEs: give no folder and no --query')
      const { found } = await prepare(input)
      const patience = { giveUpAfterMs, pollEveryMs, signal }
      return evaluate({
        context,
        namespace: input.text('namespace') ?? 'demo',
        found,
        queries: demoQueries,
        harder: hardQueries,
        mixed: mixedQueries,
        patience,
      })
    }
    const source = await prepare(input)
    if (!input.flag('start')) return runWith(context, input, source, undefined)
    const server = await startServer(settings.env, { signal })
    try {
      return await runWith(context, input, source, server)
    } finally {
      await server.stop()
    }
  },
}

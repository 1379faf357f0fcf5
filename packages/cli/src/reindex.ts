import { Cairn, type Reindex as State } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import type { Command, Context, Input, Result } from './command.ts'
import { confirm } from './confirm.ts'
import { duration } from './duration.ts'
import { keyOption } from './namespaces.ts'
import { detailsTable, printable } from './table.ts'
import { watchState } from './watch-state.ts'

const stateTable = ({ progress, comparison, ...state }: State): string =>
  detailsTable({
    phase: state.phase,
    model: state.model,
    'other model': state.other_model,
    flip: state.flip,
    progress: `${progress.passed} of ${progress.total} checked, ${progress.written} embedded, ${progress.rejected} rejected`,
    comparison:
      comparison &&
      `overlap at 10: ${comparison.overlap_at_10.toFixed(2)}, ${comparison.median_ms.toFixed(0)} ms and ${comparison.other_median_ms.toFixed(0)} ms (${comparison.queries} queries)`,
    error: state.error,
    started: state.started_at,
    flipped: state.flipped_at,
    'kept until': state.kept_until,
  })

const isSettled = ({ phase, flip, error }: State): boolean =>
  phase === 'kept' || (phase === 'filled' && (flip === 'manual' || error !== null))

const progressLine = ({ phase, error, progress: { passed, total } }: State): string =>
  `  ${phase}  ${passed} of ${total}${error === null ? '' : ` (${printable(error)})`}`

const requests = { flip: 'flip', rollback: 'rollBack', end: 'end' } as const

const keepDaysOf = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text)) throw new AppError('invalid', `--keep-days must be a whole number, not ${text}`)
  return Number(text)
}

const follow = async (context: Context, input: Input, cairn: Cairn, begun: State): Promise<Result> => {
  const next = (signal: AbortSignal) => cairn.reindexes.get(begun.namespace_name, { signal })
  const line = (state: State | undefined) => (state ? progressLine(state) : '')
  const isEnd = (state: State | undefined) => !state || isSettled(state)
  const state = input.flag('detach')
    ? begun
    : await watchState<State | undefined>(context, begun, { isEnd, line, next })
  context.print(state ? stateTable(state) : 'the reindex has ended\n')
  const error = state && isSettled(state) ? state.error : null
  return { data: state ?? null, ...(error !== null && { failed: error }) }
}

export const reindexCommand: Command = {
  name: 'reindex',
  summary: 'Change the embedding model of a text namespace while it is searched',
  arguments: [{ name: 'namespace', description: 'The text namespace.' }],
  options: {
    model: { type: 'string', value: 'name', description: "The model to change to. Default: the server's current one." },
    'dry-run': { type: 'boolean', description: 'Only estimate the tokens and the time.' },
    manual: { type: 'boolean', description: 'Embed the texts, then wait for --flip.' },
    'keep-days': {
      type: 'string',
      value: 'days',
      description: 'Days for which it can be rolled back, 0 to 30. Default: 7.',
    },
    'compare-queries': {
      type: 'boolean',
      description: 'Keep the texts of up to 50 searches until the flip, and compare both models by them.',
    },
    status: { type: 'boolean', description: 'Show the state of the reindex.' },
    flip: { type: 'boolean', description: 'Search by the new model, once all texts are embedded.' },
    rollback: { type: 'boolean', description: 'Search by the former model again, while it is kept.' },
    end: {
      type: 'boolean',
      description: 'Cancel it before the flip; after it, remove the points of the former model.',
    },
    yes: { type: 'boolean', description: 'With --end: do not ask for confirmation; required without a terminal.' },
    detach: { type: 'boolean', description: 'Return at once, without waiting.' },
    key: keyOption,
  },
  notes: ['If the command is stopped while it waits, the server continues. It needs a key with the scope admin.'],
  run: async (context, input) => {
    const { settings, signal, print } = context
    const actions = (['status', 'flip', 'rollback', 'end', 'dry-run'] as const).filter((name) => input.flag(name))
    const [action] = actions
    if (actions.length > 1) throw new AppError('invalid', `--${actions.join(' and --')} can't be used together`)
    const cairn = new Cairn({ url: settings.url, apiKey: input.text('key') ?? settings.apiKey() })
    const name = input.argument('namespace')
    const options = { signal }
    if (action === 'status') {
      const state = await cairn.reindexes.get(name, options)
      if (!state) throw new AppError('notFound', `${name} has no reindex, or does not exist`)
      print(stateTable(state))
      return { data: state }
    }
    if (action === 'end')
      await confirm(context, input, {
        what: `end the reindex of "${name}" and remove the vectors of the model that is not searched`,
        name,
      })
    if (action !== undefined && action !== 'dry-run')
      return follow(context, input, cairn, await cairn.reindexes[requests[action]](name, options))
    const [model, keepDays] = [input.text('model'), keepDaysOf(input.text('keep-days'))]
    const how = {
      ...(model === undefined ? {} : { model }),
      ...(keepDays === undefined ? {} : { keep_days: keepDays }),
      flip: input.flag('manual') ? 'manual' : 'automatic',
      compare_queries: input.flag('compare-queries'),
    } as const
    if (action === undefined) return follow(context, input, cairn, await cairn.reindexes.start(name, how, options))
    const estimate = await cairn.reindexes.estimate(name, how, options)
    const { items, chunks, characters, passages, tokens, seconds, sampled } = estimate
    print(
      detailsTable({
        model: estimate.model,
        'other model': estimate.other_model,
        'to embed': `${items} items and ${chunks} chunks, about ${characters} characters in ${passages} passages`,
        tokens: tokens === null ? undefined : `about ${tokens}`,
        'time to embed': `${seconds < 0.1 ? '' : 'about '}${duration(seconds)} (${sampled} texts read)`,
      }),
    )
    return { data: estimate }
  },
}

import { AppError } from '@cairn/contracts/errors'
import { schemaMismatch } from '@cairn/domain/ports/schema-mismatch'

/** One line of progress for the operator. */
export type Log = (line: string) => void

/**
 * Changes an engine's stored data. Steps are numbered 1, 2, 3 and so on; 1 is the schema of version 0.1.0. A released
 * step never changes: later changes are new steps.
 * - `apply` has no deadline. It may be interrupted and run again, or run while another process still applies it, so it
 *   must be idempotent.
 * - `requires` is the last step that a process must know to work with the result. Without it, the step only adds, and
 *   earlier versions continue to work. A step that removes something names the step whose version stopped using it.
 * - `check` throws if the stored data can't take the step. It runs before any missing step is applied, on data at any
 *   earlier step, and changes nothing.
 */
export type Migration<Context> = {
  readonly number: number
  readonly name: string
  readonly requires?: number
  readonly check?: (context: Context) => Promise<void> | void
  readonly apply: (context: Context, log: Log) => Promise<void> | void
}

/** `number`: last applied step. `requires`: last step that a process must know. 0: no step. */
export type SchemaState = { readonly number: number; readonly requires: number }

export const lastNumber = (migrations: readonly Migration<never>[]): number => migrations.at(-1)?.number ?? 0

/** Names the remedy; undefined if the schema fits. `own` is the last step that this version knows. */
export const schemaFault = (what: string, { number, requires }: SchemaState, own: number): AppError | undefined => {
  if (requires > own)
    return new AppError(
      'unavailable',
      `The schema of ${what} requires step ${requires} and this version knows ${own}: start the newer version, or restore a backup of before.`,
      { cause: schemaMismatch, retryAfterSeconds: 30 },
    )
  if (number >= own) return undefined
  return new AppError(
    'unavailable',
    `The schema of ${what} is at step ${number} and this version needs ${own}: run \`npm run setup\` of this version.`,
    { cause: schemaMismatch, retryAfterSeconds: 30 },
  )
}

export type SchemaRecord = {
  read(): Promise<SchemaState>
  /** Rejects if another process has recorded the step or may have; this process must then not continue. */
  applied(step: { readonly number: number; readonly name: string; readonly requires: number }): Promise<void>
}

/** Checks the steps that are not recorded. Changes nothing. */
export const checkMigrations = async <Context>(options: {
  readonly migrations: readonly Migration<Context>[]
  readonly context: Context
  readonly record: Pick<SchemaRecord, 'read'>
}): Promise<void> => {
  const { number } = await options.record.read()
  for (const step of options.migrations) if (step.number > number) await step.check?.(options.context)
}

const progressEveryMs = 10_000

/** Records each step after it was applied. AppError `unavailable` for data of a newer version. */
export const applyMigrations = async <Context>(options: {
  /** The engine in messages for operators. */
  readonly what: string
  readonly migrations: readonly Migration<Context>[]
  readonly context: Context
  readonly record: SchemaRecord
  readonly log: Log
}): Promise<void> => {
  const { what, migrations, context, record, log } = options
  const state = await record.read()
  const own = lastNumber(migrations)
  if (state.requires > own) throw schemaFault(what, state, own)
  let { requires } = state
  for (const step of migrations) {
    if (step.number <= state.number) continue
    const { number, name } = step
    requires = Math.max(requires, step.requires ?? 0)
    const line = `${what}: schema step ${number} of ${own}, ${name}`
    log(line)
    const from = performance.now()
    const ticking = setInterval(
      () => log(`${line}: ${Math.round((performance.now() - from) / 1_000)} s`),
      progressEveryMs,
    )
    try {
      await step.apply(context, (text) => log(`${line}: ${text}`))
    } finally {
      clearInterval(ticking)
    }
    await record.applied({ number, name, requires })
  }
}

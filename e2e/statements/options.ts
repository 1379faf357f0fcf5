import { parseArgs } from 'node:util'
import { wholeNumber } from '../command-line.ts'
import { kinds } from './kinds.ts'

export type StatementOptions = {
  /** Minimum number of rows. */
  readonly rows: number
  readonly seed: number
  /** One kind of statement. Default: all kinds in turn. */
  readonly kind?: string
  /** Folder in which the PDFs and their texts are kept. Absent: they are removed. */
  readonly keep?: string
}

export const usage = `node e2e/statements/main.ts [--rows N] [--seed S] [--kind K] [--keep FOLDER]

Prints financial statements as PDFs in Chromium, extracts their text, and measures the share of rows whose label and values are
one line of the text, in order.

  --rows N       minimum number of rows (500)
  --seed S       which statements: the first is made of S, the next of S + 1 (1)
  --kind K       ${Object.keys(kinds).join(', ')} (all)
  --keep FOLDER  keep the PDFs and their texts`

/**
 * Returns the options of the command line, or undefined if help is requested. Throws an error that describes an invalid
 * option.
 */
export const readOptions = (args: readonly string[]): StatementOptions | undefined => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: '500' },
      seed: { type: 'string', default: '1' },
      kind: { type: 'string' },
      keep: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return undefined
  const { kind, keep } = values
  if (kind !== undefined && !(kind in kinds))
    throw new Error(`--kind is one of ${Object.keys(kinds).join(', ')}, not ${kind}`)
  return {
    rows: wholeNumber('rows', values.rows, 1, 9_999_999),
    seed: wholeNumber('seed', values.seed, 1, 9_999_999),
    ...(kind === undefined ? {} : { kind }),
    ...(keep === undefined ? {} : { keep }),
  }
}

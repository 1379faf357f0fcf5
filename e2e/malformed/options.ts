import { parseArgs } from 'node:util'
import { type FileType, fileTypes } from '@cairn/contracts/files/file-rules'
import { mutationKinds } from '@cairn/testing/material/mutate'
import { wholeNumber } from '../command-line.ts'

export type MalformedOptions = {
  readonly types: readonly FileType[]
  /** Number of files of each type. */
  readonly count: number
  readonly seed: number
  /** The only mutation to use. Default: all mutations of the type in turn. */
  readonly kind?: string
  /** File for the figures as JSON. */
  readonly json?: string
}

export const usage = `npm run malformed -- [--type T,…] [--count N] [--seed S] [--kind K] [--json FILE]

Starts the one process and brings it malformed files, in all the ways a file can be spoilt. The process has to outlive them; each
file has to end failed with the right reason, or completed with text of its own; the child that reads it may take 256 MiB and
60 s; a file that is named in them must not be read, and an address that is named in them must not be called.

  --type T,…     ${fileTypes.join(', ')} (all)
  --count N      files of each type (1000)
  --seed S       which files: the first of each type is made of S, the next of S + 1 (1)
  --kind K       one way of spoiling them; with --type, --seed and --count 1 this is how one file is brought again
  --json FILE    the figures, for programs`

const typesOf = (value: string): FileType[] =>
  value.split(',').map((name) => {
    const found = fileTypes.find((type) => type === name)
    if (found) return found
    throw new Error(`--type is one or more of ${fileTypes.join(', ')}, not ${name}`)
  })

/**
 * Returns the options of the command line, or undefined if help is requested. Throws an error that describes an invalid
 * option.
 */
export const readOptions = (args: readonly string[]): MalformedOptions | undefined => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      type: { type: 'string', default: fileTypes.join(',') },
      count: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      kind: { type: 'string' },
      json: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return undefined
  const types = typesOf(values.type)
  const { kind } = values
  for (const type of types)
    if (kind !== undefined && !mutationKinds(type).includes(kind))
      throw new Error(`a ${type} file can't be spoilt by --kind ${kind}`)
  return {
    types,
    count: wholeNumber('count', values.count, 1, 100_000),
    seed: wholeNumber('seed', values.seed, 0, 2 ** 48),
    ...(kind === undefined ? {} : { kind }),
    ...(values.json === undefined ? {} : { json: values.json }),
  }
}

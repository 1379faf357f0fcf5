import { parseArgs } from 'node:util'
import { AppError } from '@cairn/contracts/errors'
import type { Command, Input } from './command.ts'
import { commonOptions } from './help.ts'
import { nearest } from './nearest.ts'

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

export type Parsed = {
  readonly values: Values
  readonly words: readonly string[]
  /** Names of `--json=…`, if there are any. */
  readonly fields: ReadonlySet<string> | undefined
}

export const usage = (message: string, command?: Command): AppError =>
  new AppError('invalid', `${message} (see cairn ${command ? `${command.name} ` : ''}--help)`)

const optionsOf = (command: Command) => {
  const rows = Object.entries({ ...commonOptions, ...command.options })
  return Object.fromEntries(
    rows.map(([name, { type, multiple = false, short }]) => [name, { type, multiple, ...(short && { short }) }]),
  )
}

/** Names the option that was probably meant. */
const sentenceOf = (error: unknown, command: Command): string => {
  // The rest of Node's message is advice that does not apply.
  const sentence = (error instanceof Error ? error.message : String(error)).replace(/\. .*$/s, '').replace(/\.$/, '')
  const unknown = /^Unknown option '--?([^']+)'/.exec(sentence)?.[1]
  const meant = unknown && nearest(unknown, Object.keys({ ...command.options, ...commonOptions }))
  return meant ? `${sentence}: did you mean --${meant}?` : sentence
}

export const parse = (command: Command, args: readonly string[]): Parsed => {
  // parseArgs has no options with an optional value.
  const end = args.indexOf('--')
  const isSelection = (arg: string, index: number) => arg.startsWith('--json=') && (end < 0 || index < end)
  const selections = args.filter(isSelection).flatMap((arg) => arg.slice('--json='.length).split(','))
  const names = selections.map((name) => name.trim())
  if (names.includes('')) throw usage('--json= needs the names of fields, separated by commas', command)
  try {
    const { values, positionals } = parseArgs({
      args: args.map((arg, index) => (isSelection(arg, index) ? '--json' : arg)),
      options: optionsOf(command),
      allowPositionals: true,
      strict: true,
    })
    return { values, words: positionals, fields: names.length > 0 ? new Set(names) : undefined }
  } catch (error) {
    throw usage(sentenceOf(error, command), command)
  }
}

export const inputOf = (command: Command, { values, words }: Parsed): Input => {
  const { arguments: args = [], options = {} } = command
  const missing = args.find(({ optional }, index) => !optional && !words[index])
  if (missing) throw usage(`<${missing.name}> is missing`, command)
  if (words.length > args.length && !args.at(-1)?.rest)
    throw usage(`Unexpected argument "${words[args.length]}"`, command)
  const required = Object.entries(options).find(([name, option]) => option.required && !values[name])
  if (required) throw usage(`--${required[0]} is required`, command)
  const optional = (name: string) => words[args.findIndex((argument) => argument.name === name)]
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined)
  return {
    optional,
    argument: (name) => optional(name) ?? '',
    rest: (name) => words.slice(args.findIndex((argument) => argument.name === name)),
    text,
    texts: (name) => [values[name] ?? []].flat().filter((value) => typeof value === 'string'),
    flag: (name) => values[name] === true,
  }
}

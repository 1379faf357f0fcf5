import { parseArgs } from 'node:util'
import { Cairn, CairnError } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import type { Command, Context, Input } from './command.ts'
import { commands } from './commands.ts'
import type { EdgeEmbedder } from './edge/port.ts'
import { type ExitCode, exitCodeOf, interrupted } from './exit-codes.ts'
import { commandHelp, commonOptions, overview } from './help.ts'
import { type Environment, readSettings, type Settings } from './settings.ts'
import { printable } from './table.ts'

/** The parts of the process that a command may use. */
export type Terminal = {
  readonly env: Environment
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether `err` writes to a terminal, so that a line can be overwritten. */
  readonly isTerminal: boolean
  /** Asks the user; undefined if there is no interactive terminal. */
  readonly ask?: (question: string) => Promise<string>
  readonly signal: AbortSignal
  /** Opens the embedding model, for commands that embed texts themselves. */
  readonly embedder: () => Promise<EdgeEmbedder>
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

const usage = (message: string, command?: Command): AppError =>
  new AppError('invalid', `${message} (see cairn ${command ? `${command.name} ` : ''}--help)`)

const findCommand = (words: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '))

const optionsOf = (command: Command) => {
  const rows = Object.entries({ ...commonOptions, ...command.options })
  return Object.fromEntries(rows.map(([name, { type, multiple = false }]) => [name, { type, multiple }]))
}

const parse = (
  command: Command,
  args: readonly string[],
): { readonly values: Values; readonly words: readonly string[] } => {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: optionsOf(command),
      allowPositionals: true,
      strict: true,
    })
    return { values, words: positionals }
  } catch (error) {
    // Only the first sentence of Node's message; the rest is advice that does not apply.
    throw usage(
      (error instanceof Error ? error.message : String(error)).replace(/\. .*$/s, '').replace(/\.$/, ''),
      command,
    )
  }
}

const inputOf = (command: Command, values: Values, words: readonly string[]): Input => {
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

/** Control characters, which begin terminal control sequences; a server's texts may contain some. */
const controls = /[^\P{Cc}\n\t]/gu

/**
 * Returns JSON that is safe to print. JSON.stringify escapes only ASCII control characters below U+0020, but U+009B
 * also begins a terminal control sequence.
 */
const printableJson = (data: unknown): string =>
  JSON.stringify(data, null, 2).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * Returns the error for a response of an unexpected form. Responses are not validated; a wrong form causes a TypeError
 * where it is used.
 */
const notUnderstood = (url: string, cause: TypeError): AppError =>
  new AppError(
    'internal',
    `The server at ${url} sent a response that this command does not understand: is it Cairn, of the same version?`,
    { cause },
  )

/** Returns the error to report; none that ends with 1 if the command reserves this exit code. */
const errorOf = (error: unknown, { url }: Settings, { reservesExitCode1 }: Command): unknown => {
  const known = error instanceof TypeError ? notUnderstood(url, error) : error
  if (!reservesExitCode1 || exitCodeOf(known) !== 1) return known
  return new AppError('unavailable', known instanceof Error ? known.message : String(known), { cause: known })
}

/** Adds to the message the origin of the server's address and how to set another address. */
const withRemedy = (error: CairnError, { addressFile }: Settings): CairnError => {
  const from = addressFile === undefined ? '' : ` (the address in ${addressFile})`
  const message = `${error.message}${from}: start the server, or set its address by CAIRN_URL or --url`
  return new CairnError(error.code, message, { cause: error })
}

const execute = async (command: Command, args: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const { values, words } = parse(command, args)
  if (values['help'] === true) {
    terminal.out(commandHelp(command))
    return 0
  }
  const input = inputOf(command, values, words)
  const settings = readSettings(terminal.env, input.text('url'))
  const json = input.flag('json')
  const context: Context = {
    settings,
    admin: () => new Cairn({ url: settings.url, adminKey: settings.adminKey() }).admin,
    cairn: () => new Cairn({ url: settings.url, apiKey: settings.apiKey() }),
    embedder: terminal.embedder,
    print: (text) => (json ? undefined : terminal.out(text.replace(controls, ''))),
    note: terminal.err,
    isTerminal: terminal.isTerminal,
    ask: terminal.ask,
    signal: terminal.signal,
  }
  const {
    data,
    failed,
    exitCode = 1,
  } = await command.run(context, input).catch((error: unknown) => {
    if (error instanceof CairnError && error.code === 'network') throw withRemedy(error, settings)
    throw errorOf(error, settings, command)
  })
  if (json) terminal.out(`${printableJson(data)}\n`)
  if (failed === undefined) return 0
  terminal.err(`cairn: ${printable(failed)}\n`)
  return exitCode
}

const start = async (args: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const command = findCommand(args)
  if (command) return execute(command, args.slice(command.name.split(' ').length), terminal)
  const [first = ''] = args
  const related = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (args.includes('--help')) {
    terminal.out(overview(related.length > 0 ? related : commands))
    return 0
  }
  if (args.length === 0) {
    // Treated as an error: in a script, missing arguments usually come from an empty variable.
    terminal.err(overview(commands))
    return 2
  }
  if (related.length > 0)
    throw usage(`"cairn ${first}" needs one of: ${related.map(({ name }) => name.slice(first.length + 1)).join(', ')}`)
  throw usage(`Unknown command "${args.slice(0, 2).join(' ')}"`)
}

/** Runs one command line and resolves to the exit code. Errors are written to `err`, one sentence each. */
export const run = async (args: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  try {
    return await start(args, terminal)
  } catch (error) {
    if (terminal.signal.aborted) return interrupted
    terminal.err(`cairn: ${printable(error instanceof Error ? error.message : String(error))}\n`)
    return exitCodeOf(error)
  }
}

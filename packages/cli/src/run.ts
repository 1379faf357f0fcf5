import { Cairn, CairnError } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import manifest from '../package.json' with { type: 'json' }
import type { Command, Context, ReadFile } from './command.ts'
import { commandGroups, commands } from './commands.ts'
import type { EdgeEmbedder } from './edge/port.ts'
import { type ExitCode, exitCodeOf, interrupted } from './exit-codes.ts'
import { commandHelp, commonOptions, type Look, overview } from './help.ts'
import { nearest } from './nearest.ts'
import { inputOf, parse, usage } from './parse.ts'
import type { Environment } from './profiles.ts'
import { fieldNames, selectFields } from './select-fields.ts'
import { readSettings, type Settings } from './settings.ts'
import { escaped, printable } from './table.ts'

/** Parts of the process. */
export type Terminal = {
  readonly env: Environment
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** `err` writes to a terminal, so that a line can be overwritten. */
  readonly isTerminal: boolean
  /** Columns of the terminal that `out` writes to; undefined: no terminal. */
  readonly width?: number | undefined
  /** Only for a terminal that shows colors. */
  readonly style: (stream: 'out' | 'err', format: 'bold' | 'red', text: string) => string
  /** Undefined without an interactive terminal. */
  readonly ask?: (question: string) => Promise<string>
  /** Not shown; undefined if standard input is not a terminal. */
  readonly askSecret?: (question: string) => Promise<string>
  readonly stdin: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
  readonly embedder: () => Promise<EdgeEmbedder>
  readonly reader: () => Promise<ReadFile>
}

/** Responses are not validated; a wrong form causes a TypeError where it is used. */
const notUnderstood = (url: string, cause: TypeError): AppError =>
  new AppError(
    'internal',
    `The server at ${url} sent a response that this command does not understand: is it Cairn, of the same version?`,
    { cause },
  )

/** Returns no error that ends with 1 if the command reserves this exit code. */
const errorOf = (error: unknown, { url }: Settings, { reservesExitCode1 }: Command): unknown => {
  const known = error instanceof TypeError ? notUnderstood(url, error) : error
  if (!reservesExitCode1 || exitCodeOf(known) !== 1) return known
  return new AppError('unavailable', known instanceof Error ? known.message : String(known), { cause: known })
}

/** Says where the server's address is from, and how to set another one. */
const withRemedy = (error: CairnError, { urlOrigin }: Settings): CairnError => {
  const from = /^(profile|the address) /.test(urlOrigin) ? ` (${urlOrigin})` : ''
  const message = `${error.message}${from}: start the server, or set its address by CAIRN_URL or --url`
  return new CairnError(error.code, message, { cause: error })
}

const findCommand = (words: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '))

const lookOf = ({ width, style }: Terminal, stream: 'out' | 'err' = 'out'): Look => ({
  width,
  heading: (text) => style(stream, 'bold', text),
})

/** Names a field that the result lacks, because it may be misspelled. */
const writeJson = (data: unknown, fields: ReadonlySet<string> | undefined, { out, err }: Terminal): void => {
  const selected = fields ? (selectFields(data, fields) ?? {}) : data
  out(`${escaped(JSON.stringify(selected, null, 2))}\n`)
  if (!fields) return
  const known = fieldNames(data)
  for (const name of fields) {
    if (known.has(name)) continue
    const meant = nearest(name, known)
    err(`cairn: The result has no field "${printable(name)}"${meant ? `: did you mean "${printable(meant)}"?` : ''}\n`)
  }
}

const writeFailure = ({ err, style }: Terminal, message: string): void =>
  err(`${style('err', 'red', 'cairn:')} ${printable(message)}\n`)

const execute = async (command: Command, args: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const parsed = parse(command, args)
  if (parsed.values['help'] === true) {
    terminal.out(commandHelp(command, lookOf(terminal)))
    return 0
  }
  const input = inputOf(command, parsed)
  const settings = readSettings(
    terminal.env,
    { url: input.text('url'), profile: input.text('profile') },
    command.createsProfile,
  )
  const json = input.flag('json')
  const context: Context = {
    settings,
    admin: () => new Cairn({ url: settings.url, adminKey: settings.adminKey() }).admin,
    cairn: () => new Cairn({ url: settings.url, apiKey: settings.apiKey() }),
    embedder: terminal.embedder,
    reader: terminal.reader,
    print: (text) => (json ? undefined : terminal.out(escaped(text))),
    note: terminal.err,
    isTerminal: terminal.isTerminal,
    width: terminal.width,
    ask: terminal.ask,
    askSecret: terminal.askSecret,
    stdin: terminal.stdin,
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
  if (json) writeJson(data, parsed.fields, terminal)
  if (failed === undefined) return 0
  writeFailure(terminal, failed)
  return exitCode
}

/** Names the commands that were probably meant. */
const unknownCommand = ([first = '', second]: readonly string[]): AppError => {
  const names = commands.map(({ name }) => name)
  const seconds = names.filter((name) => name.startsWith(`${first} `)).map((name) => name.slice(first.length + 1))
  if (seconds.length > 0) {
    const meant = second && nearest(second, seconds)
    if (meant) return usage(`Unknown command "${first} ${second}": did you mean "${first} ${meant}"?`)
    return usage(`"cairn ${first}" needs one of: ${seconds.join(', ')}`)
  }
  const similar = nearest(first, new Set(names.map((name) => name.split(' ')[0] ?? '')))
  const meant = similar === undefined ? names.filter((name) => name.endsWith(` ${first}`)) : [similar]
  const suggestion = meant.length === 0 ? '' : `: did you mean ${meant.map((name) => `"${name}"`).join(' or ')}?`
  return usage(`Unknown command "${first}"${suggestion}`)
}

/** Shows the help of a command, of the commands with the same first word, or of all. */
const showHelp = (words: readonly string[], terminal: Terminal): ExitCode => {
  const look = lookOf(terminal)
  const command = findCommand(words)
  const isRelated = ({ name }: Command) => words.length === 0 || (words.length === 1 && name.startsWith(`${words[0]} `))
  const groups = commandGroups
    .map(({ title, commands: all }) => ({ title, commands: all.filter(isRelated) }))
    .filter((group) => group.commands.length > 0)
  if (!command && groups.length === 0) throw unknownCommand(words)
  terminal.out(command ? commandHelp(command, look) : overview(groups, look))
  return 0
}

/** Moves common options that come first behind the command: `cairn --url … ns list`. */
const withOptionsBehind = (args: readonly string[]): readonly string[] => {
  const [first = '', second, ...rest] = args
  const { type } = commonOptions[first.replace(/^--/, '').replace(/=.*/s, '')] ?? {}
  if (!first.startsWith('--') || type === undefined || first === '--help') return args
  if (type === 'boolean' || first.includes('=')) return [...withOptionsBehind(args.slice(1)), first]
  return second === undefined ? args : [...withOptionsBehind(rest), first, second]
}

const start = async (sent: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  const args = withOptionsBehind(sent)
  const [first] = args
  if (first === undefined) {
    // An error: in a script, missing arguments usually come from an empty variable.
    terminal.err(overview(commandGroups, lookOf(terminal, 'err')))
    return 2
  }
  if (first === '--version') {
    terminal.out(`cairn ${manifest.version}\n`)
    return 0
  }
  const words = args.filter((arg) => !arg.startsWith('-'))
  if (first === 'help') return showHelp(words.slice(1), terminal)
  const command = findCommand(args)
  if (command) return execute(command, args.slice(command.name.split(' ').length), terminal)
  if (args.some((arg) => arg === '--help' || arg === '-h')) return showHelp(words, terminal)
  throw unknownCommand(args)
}

/** Resolves to the exit code. Errors are written to `err`, one sentence each. */
export const run = async (args: readonly string[], terminal: Terminal): Promise<ExitCode> => {
  try {
    return await start(args, terminal)
  } catch (error) {
    if (terminal.signal.aborted) return interrupted
    writeFailure(terminal, error instanceof Error ? error.message : String(error))
    return exitCodeOf(error)
  }
}

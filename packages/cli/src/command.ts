import type { Admin, Cairn } from '@cairn/client'
import type { FileType } from '@cairn/contracts/files/file-rules'
import type { ExtractEvent, ExtractOptions } from '@cairn/extract/block'
import type { EdgeEmbedder } from './edge/port.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Settings } from './settings.ts'

type Argument = {
  readonly name: string
  readonly description: string
  readonly optional?: boolean
  /** Whether the argument takes all remaining words; allowed only for the last argument. */
  readonly rest?: boolean
}

export type Option = {
  readonly type: 'string' | 'boolean'
  /** Placeholder for the value in the help. */
  readonly value?: string
  readonly required?: boolean
  /** Whether the option may be repeated. */
  readonly multiple?: boolean
  /** One letter that means the same. */
  readonly short?: string
  readonly description: string
}

/** Parsed arguments and options. A name that the command does not define is a bug. */
export type Input = {
  argument(name: string): string
  /** Returns the value of an optional argument. */
  optional(name: string): string | undefined
  /** Returns the words of the last argument, which takes all of them. */
  rest(name: string): readonly string[]
  text(option: string): string | undefined
  texts(option: string): readonly string[]
  flag(option: string): boolean
}

/**
 * Reads a file in a contained child process, as the file pipeline does (`@cairn/extract/child/run-extractor`). Rejects
 * with an error whose message is for users if the file is at fault.
 */
export type ReadFile = (
  request: { readonly path: string; readonly type: FileType; readonly options: ExtractOptions },
  options: { readonly signal: AbortSignal },
) => AsyncIterable<ExtractEvent>

export type Context = {
  readonly settings: Settings
  /** Returns a client of the admin API with the admin key. */
  readonly admin: () => Admin
  /** Returns a client of the API with the API key. */
  readonly cairn: () => Cairn
  /** Opens the model that CAIRN_EMBEDDER names; the caller closes it. */
  readonly embedder: () => Promise<EdgeEmbedder>
  /** Loads what reads files. */
  readonly reader: () => Promise<ReadFile>
  /** Writes to standard output; nothing with `--json`, which prints only the result. */
  readonly print: (text: string) => void
  /** Writes progress and remarks to standard error; they are not part of the result. */
  readonly note: (text: string) => void
  /** Whether standard error is a terminal, so that a line can be overwritten. */
  readonly isTerminal: boolean
  /** Columns of the terminal that shows the output; undefined if it is not a terminal. */
  readonly width: number | undefined
  /** Asks the user at the terminal and resolves to the answer; undefined if there is no interactive terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined
  /** Asks for a secret, which is not shown; undefined if standard input is not a terminal. */
  readonly askSecret: ((question: string) => Promise<string>) | undefined
  readonly stdin: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

/**
 * `data` is the output with `--json`. `failed` is one sentence if the command ran but found a problem; the exit code is
 * then `exitCode`, by default 1.
 */
export type Result = { readonly data: unknown; readonly failed?: string; readonly exitCode?: ExitCode }

export type Command = {
  /** One or two words, as typed. */
  readonly name: string
  readonly summary: string
  readonly arguments?: readonly Argument[]
  readonly options?: Readonly<Record<string, Option>>
  /** Whole command lines, shown in the help. */
  readonly examples?: readonly string[]
  /** Notes at the end of the help. */
  readonly notes?: readonly string[]
  /** Whether exit code 1 has a meaning of its own, so that errors that would end with 1 end with 5. */
  readonly reservesExitCode1?: true
  /** Whether the profile that `--profile` names need not exist. */
  readonly createsProfile?: true
  readonly run: (context: Context, input: Input) => Promise<Result>
}

export type CommandGroup = { readonly title: string; readonly commands: readonly Command[] }

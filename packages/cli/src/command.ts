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
  /** Takes all remaining words; only for the last argument. */
  readonly rest?: boolean
}

export type Option = {
  readonly type: 'string' | 'boolean'
  /** Placeholder in the help. */
  readonly value?: string
  readonly required?: boolean
  /** May be repeated. */
  readonly multiple?: boolean
  /** One letter that means the same. */
  readonly short?: string
  readonly description: string
}

/** A name that the command does not define is a bug. */
export type Input = {
  argument(name: string): string
  optional(name: string): string | undefined
  /** Returns the words of the last argument, which takes all of them. */
  rest(name: string): readonly string[]
  text(option: string): string | undefined
  texts(option: string): readonly string[]
  flag(option: string): boolean
}

/**
 * In a contained child process, as in the file pipeline (`@cairn/extract/child/run-extractor`). If the file is at
 * fault, the error's message is for users.
 */
export type ReadFile = (
  request: { readonly path: string; readonly type: FileType; readonly options: ExtractOptions },
  options: { readonly signal: AbortSignal },
) => AsyncIterable<ExtractEvent>

export type Context = {
  readonly settings: Settings
  /** With the admin key. */
  readonly admin: () => Admin
  /** With the API key. */
  readonly cairn: () => Cairn
  /** As named by CAIRN_EMBEDDER; the caller closes it. */
  readonly embedder: () => Promise<EdgeEmbedder>
  readonly reader: () => Promise<ReadFile>
  /** Standard output; nothing with `--json`, which prints only the result. */
  readonly print: (text: string) => void
  /** Progress and remarks to standard error; not part of the result. */
  readonly note: (text: string) => void
  /** Standard error is a terminal, so that a line can be overwritten. */
  readonly isTerminal: boolean
  /** Columns of the output's terminal; undefined: no terminal. */
  readonly width: number | undefined
  /** Undefined without an interactive terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined
  /** Not shown; undefined if standard input is not a terminal. */
  readonly askSecret: ((question: string) => Promise<string>) | undefined
  readonly stdin: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

/** `data`: for `--json`. `failed`: a sentence, if it ran but found a problem; `exitCode` is then 1 by default. */
export type Result = { readonly data: unknown; readonly failed?: string; readonly exitCode?: ExitCode }

export type Command = {
  /** One or two words. */
  readonly name: string
  readonly summary: string
  readonly arguments?: readonly Argument[]
  readonly options?: Readonly<Record<string, Option>>
  /** Whole command lines. */
  readonly examples?: readonly string[]
  /** At the end of the help. */
  readonly notes?: readonly string[]
  /** Exit code 1 has a meaning of its own: errors that would end with 1 end with 5. */
  readonly reservesExitCode1?: true
  /** The profile that `--profile` names need not exist. */
  readonly createsProfile?: true
  readonly run: (context: Context, input: Input) => Promise<Result>
}

export type CommandGroup = { readonly title: string; readonly commands: readonly Command[] }

import type { Client } from './client.ts'
import type { EdgeEmbedder } from './edge/port.ts'
import type { Settings } from './settings.ts'

type Argument = { readonly name: string; readonly description: string; readonly optional?: boolean }

export type Option = {
  readonly type: 'string' | 'boolean'
  /** Stands for the value in the help. */
  readonly value?: string
  readonly required?: boolean
  /** May be given several times. */
  readonly multiple?: boolean
  readonly description: string
}

/** What was typed. Names are those of the command's own table: another name is a bug. */
export type Input = {
  argument(name: string): string
  /** Of an optional argument. */
  given(name: string): string | undefined
  text(option: string): string | undefined
  texts(option: string): readonly string[]
  flag(option: string): boolean
}

export type Context = {
  readonly settings: Settings
  /** A client of the admin API; the key is looked for when it is first called. */
  readonly admin: () => Client
  /** Opens the model that CAIRN_EMBEDDER names; whoever opens it closes it. */
  readonly embedder: () => Promise<EdgeEmbedder>
  /** To standard output; nothing with `--json`, where only the result is printed. */
  readonly print: (text: string) => void
  /** To standard error: progress and remarks, never part of the result. */
  readonly note: (text: string) => void
  /** Standard error is a terminal, so a line may be written over. */
  readonly isTerminal: boolean
  readonly signal: AbortSignal
}

/** `data` is what `--json` prints. `failed`: the command did its work and what it found is bad; one sentence, exit code 1. */
export type Result = { readonly data: unknown; readonly failed?: string }

export type Command = {
  /** One or two words, as they are typed. */
  readonly name: string
  readonly summary: string
  readonly arguments?: readonly Argument[]
  readonly options?: Readonly<Record<string, Option>>
  /** Ends the help: what is worth knowing. */
  readonly notes?: readonly string[]
  readonly run: (context: Context, input: Input) => Promise<Result>
}

import { Readable } from 'node:stream'
import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { runExtractor } from '@cairn/extract/child/run-extractor'
import type { Environment } from './profiles.ts'
import { run } from './run.ts'

type Options = {
  readonly ask?: (question: string) => Promise<string>
  /** Columns of the terminal. */
  readonly width?: number
  readonly askSecret?: (question: string) => Promise<string>
  readonly stdin?: string
}

const start = (env: Environment, args: readonly string[], { ask, askSecret, width, stdin = '' }: Options = {}) => {
  let [out, err] = ['', '']
  const controller = new AbortController()
  const ended = run(args, {
    env,
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    isTerminal: false,
    width,
    style: (_stream, _format, text) => text,
    ...(ask ? { ask } : {}),
    ...(askSecret ? { askSecret } : {}),
    stdin: Readable.from([Buffer.from(stdin)]),
    embedder: async () => lexicalEmbedder(),
    reader: async () => runExtractor,
    signal: controller.signal,
  }).then((code) => ({ code, out, err }))
  return { ended, stop: () => controller.abort() }
}

/** Starts the command with these arguments. `stop` acts like Ctrl-C; `ended` resolves to the result of `cairn`. */
export const startCairn = (env: Environment, ...args: string[]) => start(env, args)

/** Runs the command and gives these answers to its questions, then empty ones; `asked` has the questions. */
export const cairnAsking = async (answers: readonly string[], env: Environment, ...args: string[]) => {
  const asked: string[] = []
  const left = [...answers]
  const ask = async (question: string) => {
    asked.push(question)
    return left.shift() ?? ''
  }
  const askSecret = (question: string) => ask(`hidden: ${question}`)
  return { ...(await start(env, args, { ask, askSecret }).ended), asked }
}

/** Runs the command with these arguments. Resolves to its exit code and output. */
export const cairn = (env: Environment, ...args: string[]) => startCairn(env, ...args).ended

/** Runs the command with this standard input. */
export const cairnReading = (stdin: string, env: Environment, ...args: string[]) => start(env, args, { stdin }).ended

/** Runs the command as in a terminal with this number of columns. */
export const cairnInTerminal = (width: number, env: Environment, ...args: string[]) => start(env, args, { width }).ended

import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { run } from './run.ts'
import type { Environment } from './settings.ts'

type Options = {
  readonly ask?: (question: string) => Promise<string>
  /** Columns of the terminal. */
  readonly width?: number
}

const start = (env: Environment, args: readonly string[], { ask, width }: Options = {}) => {
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
    embedder: async () => lexicalEmbedder(),
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
  return { ...(await start(env, args, { ask }).ended), asked }
}

/** Runs the command with these arguments. Resolves to its exit code and output. */
export const cairn = (env: Environment, ...args: string[]) => startCairn(env, ...args).ended

/** Runs the command as in a terminal with this number of columns. */
export const cairnInTerminal = (width: number, env: Environment, ...args: string[]) => start(env, args, { width }).ended

import { lexicalEmbedder } from '@cairn/adapters/embedder/lexical'
import { run } from './run.ts'
import type { Environment } from './settings.ts'

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
  return { ...(await start(env, args, ask).ended), asked }
}

const start = (env: Environment, args: readonly string[], ask?: (question: string) => Promise<string>) => {
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
    ...(ask ? { ask } : {}),
    embedder: async () => lexicalEmbedder(),
    signal: controller.signal,
  }).then((code) => ({ code, out, err }))
  return { ended, stop: () => controller.abort() }
}

/** Runs the command with these arguments. Resolves to its exit code and output. */
export const cairn = (env: Environment, ...args: string[]) => startCairn(env, ...args).ended

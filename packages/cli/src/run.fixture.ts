import { lexicalEmbedder } from '@cairn/ports/embedder/lexical'
import { run } from './run.ts'
import type { Environment } from './settings.ts'

/** The command as a person types it: its exit code, and what it writes. */
export const cairn = async (env: Environment, ...args: string[]) => {
  let [out, err] = ['', '']
  const code = await run(args, {
    env,
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    isTerminal: false,
    embedder: async () => lexicalEmbedder(),
    signal: new AbortController().signal,
  })
  return { code, out, err }
}

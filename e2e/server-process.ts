import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** One life of a server. */
export type ServerProcess = {
  /** Where it listens; rejects when it ended before it did. */
  readonly listening: Promise<string>
  /** How it ended: its exit code, or the signal. */
  readonly ended: Promise<number | string>
  readonly pid: number
  output(): string
  /** Resolves once it has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string>
}

export const standaloneMain = join(import.meta.dirname, '../services/standalone/src/main.ts')

/** A server of our own on a data directory, which may be killed and started again. Without the settings of whoever starts it. */
export const startServer = (options: {
  readonly main?: string
  readonly dataDir: string
  /** Default: a free one. */
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
}): ServerProcess => {
  const { main = standaloneMain, dataDir, port = 0, env = {} } = options
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(CAIRN_|CRASH_|PORT$|NODE_ENV$|VITEST)/.test(name),
  )
  const settings = { CAIRN_EMBEDDER: 'lexical', CAIRN_DATA_DIR: dataDir, PORT: String(port) }
  const child: ChildProcess = spawn(process.execPath, ['--trace-warnings', main], {
    env: { ...Object.fromEntries(inherited), ...settings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killWithUs = () => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  let output = ''
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>()
  // Not everybody waits for it to listen.
  listening.catch(() => undefined)
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /listening on http:\/\/localhost:(\d+)/.exec(output)
      if (found) resolve(`http://127.0.0.1:${found[1]}`)
    })
  }
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => {
    process.off('exit', killWithUs)
    reject(new Error(`the server ended (${code ?? signal}) before it listened: ${output.slice(-2_000)}`))
    return code ?? signal ?? 'unknown'
  })
  return {
    listening,
    ended,
    pid: child.pid ?? 0,
    output: () => output,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

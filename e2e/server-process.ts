import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** One life of a server process. */
export type ServerProcess = {
  /** Resolves to its URL; rejects when it ends before it listens. */
  readonly listening: Promise<string>
  /** Resolves to its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  readonly pid: number
  isAlive(): boolean
  output(): string
  /** Sends a signal; resolves once the process has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string>
}

const standaloneMain = join(import.meta.dirname, '../services/standalone/src/main.ts')

/** Returns the environment without settings of Cairn, so that a developer's own ones do not change what is tested. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(CAIRN_|OTEL_|CRASH_|VITEST|PORT$|NODE_ENV$)/.test(name)),
  )

/** Starts the one process, or `main`. It ends with this process. */
export const startServer = (options: {
  readonly main?: string
  readonly dataDir?: string
  /** Default: a free one. */
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
}): ServerProcess => {
  const { main = standaloneMain, dataDir, port = 0, env = {} } = options
  const settings = { CAIRN_EMBEDDER: 'lexical', ...(dataDir && { CAIRN_DATA_DIR: dataDir }), PORT: String(port) }
  const child: ChildProcess = spawn(process.execPath, ['--trace-warnings', main], {
    env: { ...cleanEnvironment(), ...settings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killWithUs = () => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  let output = ''
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>()
  // Callers need not wait until it listens.
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
    isAlive: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

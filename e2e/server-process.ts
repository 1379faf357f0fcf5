import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** One run of a server process. */
export type ServerProcess = {
  /** Resolves to the server's URL; rejects if the process exits before it listens. */
  readonly listening: Promise<string>
  /** Resolves to the exit code, or to the signal that ended the process. */
  readonly ended: Promise<number | string>
  readonly pid: number
  isAlive(): boolean
  output(): string
  /** Sends a signal; resolves once the process has exited. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string>
}

const standaloneMain = join(import.meta.dirname, '../services/standalone/src/main.ts')

/** Returns the environment without Cairn settings, so that a developer's settings do not affect the test. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(CAIRN_|OTEL_|CRASH_|VITEST|PORT$|NODE_ENV$)/.test(name)),
  )

/** Starts the server as a single process, or `main`. The server is killed when this process exits. */
export const startServer = (options: {
  readonly main?: string
  readonly dataDir?: string
  /** Default: any free port. */
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
  // Prevents an unhandled rejection if a caller does not wait for the server to listen.
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

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@cairn/testing/eventually'
import { isReady } from '../scripts/cluster/cluster.ts'
import { startClusterTarget } from './cluster-target.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** A running system. */
export type Target = {
  readonly url: string
  /** A key of the first account, with every scope. */
  readonly apiKey: string
  readonly adminKey: string
  /** Metrics URLs of every process that has metrics. */
  readonly metricsUrls: readonly string[]
  /** Process id, if the tests started it. */
  readonly pid: number | undefined
  /** Stops the processes that were started for this target. */
  stop(): Promise<void>
}

/** A process that tests may kill, and whose output and files tests may read. */
export type Standalone = Target & {
  readonly dataDir: string
  /** Returns standard output and standard error since the first start, across restarts. */
  logs(): string
  /** Sends SIGTERM; resolves to the exit code, or to the signal that ended the process. */
  end(): Promise<number | string>
  /** Sends SIGKILL and waits until the process has exited. */
  kill(): Promise<void>
  /** Starts the process again with the same data directory and URL, after `kill` or `end`. */
  restart(): Promise<void>
}

export type StandaloneOptions = {
  /** Additional environment of the process, which inherits no Cairn settings from the test process. */
  readonly env?: Readonly<Record<string, string>>
}

const startWithinMs = 60_000
const stopWithinMs = 15_000

/** Rejects when `work` takes longer than `withinMs`. */
const inTime = async <T>(work: Promise<T>, withinMs: number, what: string): Promise<T> => {
  const timer = new AbortController()
  const late = pause(withinMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`${what} within ${withinMs} ms`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
    late.catch(() => undefined)
  }
}

/** Starts a process that is expected to fail at startup; resolves to its exit code (or signal) and its output. */
export const runStandalone = async (
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | string; readonly output: string }> => {
  const server = startServer({ env })
  try {
    const code = await inTime(server.ended, startWithinMs, 'the process did not end')
    return { code, output: server.output() }
  } finally {
    await server.end('SIGKILL')
  }
}

/**
 * Starts `services/standalone` as users do, on a free port and with a separate data directory, and waits until it is
 * ready.
 */
export const startStandalone = async ({ env = {} }: StandaloneOptions = {}): Promise<Standalone> => {
  const dataDir = env['CAIRN_DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'cairn-e2e-'))
  const lives: ServerProcess[] = []
  const current = () => lives.at(-1) as ServerProcess
  const logs = () => lives.map((life) => life.output()).join('')
  let port = 0
  let wasEnded = false

  const start = async (): Promise<void> => {
    const server = startServer({ dataDir, port, env })
    lives.push(server)
    wasEnded = false
    const url = await inTime(server.listening, startWithinMs, 'the process did not listen')
    port = Number(new URL(url).port)
    const ready = async () => !server.isAlive() || (await isReady(url))
    await eventually(ready, (yes) => yes, { withinMs: startWithinMs, everyMs: 20 })
    if (!server.isAlive()) throw new Error(`the process ended with ${await server.ended}: ${server.output()}`)
  }
  const end = (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string> => {
    wasEnded = true
    return inTime(current().end(signal), stopWithinMs, `the process did not end by ${signal}`)
  }

  const secret = (name: string) => readFileSync(join(dataDir, name), 'utf8').trim()
  const removeFiles = () => rmSync(dataDir, { recursive: true, force: true })
  try {
    await start()
    return {
      url: `http://127.0.0.1:${port}`,
      metricsUrls: [`http://127.0.0.1:${port}/metrics`],
      apiKey: secret('api-key'),
      adminKey: env['CAIRN_ADMIN_KEY'] ?? secret('admin-key'),
      dataDir,
      get pid() {
        return current().pid
      },
      logs,
      end: () => end('SIGTERM'),
      kill: async () => void (await end('SIGKILL')),
      restart: start,
      stop: async () => {
        try {
          // Tests may stop the process; if it exited by itself, that is a failure.
          const code = wasEnded ? 0 : await end('SIGTERM')
          if (code !== 0) throw new Error(`the process ended with ${code}: ${logs().slice(-4_000)}`)
        } finally {
          await current().end('SIGKILL')
          removeFiles()
        }
      },
    }
  } catch (error) {
    await current().end('SIGKILL')
    removeFiles()
    throw error
  }
}

const required = (name: string): string => {
  const value = process.env[name]
  if (value) return value
  throw new Error(`${name} is required when E2E_TARGET is an address`)
}

const wanted = (): string => process.env['E2E_TARGET'] || 'standalone'

/** Whether targets are processes that tests may stop and whose files tests may read. */
export const isStandalone = (): boolean => wanted() === 'standalone'

/** Whether targets are clusters that the tests start. */
export const isCluster = (): boolean => wanted() === 'cluster'

/**
 * Starts the target that `E2E_TARGET` specifies: `standalone` (default), `cluster` (processes started here on running
 * engines), or the URL of a running system with its CAIRN_API_KEY and CAIRN_ADMIN_KEY.
 */
export const startTarget = async (options: StandaloneOptions = {}): Promise<Target | Standalone> => {
  const target = wanted()
  if (target === 'standalone') return startStandalone(options)
  if (target === 'cluster') return startClusterTarget(options)
  if (!/^https?:\/\//.test(target))
    throw new Error(`E2E_TARGET must be standalone, cluster or an address that begins with http, not ${target}`)
  return {
    url: target.replace(/\/+$/, ''),
    metricsUrls: [`${target.replace(/\/+$/, '')}/metrics`],
    apiKey: required('CAIRN_API_KEY'),
    adminKey: required('CAIRN_ADMIN_KEY'),
    pid: undefined,
    stop: async () => undefined,
  }
}

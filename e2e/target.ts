import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@cairn/testing/eventually'
import { startClusterTarget } from './cluster-target.ts'

/** A system that answers, however it came to run. */
export type Target = {
  readonly url: string
  /** A key of the first account, with every scope. */
  readonly apiKey: string
  readonly adminKey: string
  /** Metrics URLs of every process that has metrics. */
  readonly metricsUrls: readonly string[]
  /** The process, when it is one of ours on this machine. */
  readonly pid: number | undefined
  /** Ends what was started for this target; nothing for one that was there before. */
  stop(): Promise<void>
}

/** A process of our own, which may be killed and whose output and files may be read. */
export type Standalone = Target & {
  readonly dataDir: string
  /** Everything it has written so far, standard output and standard error, over all its lives. */
  logs(): string
  /** SIGTERM, and the exit code. */
  end(): Promise<number | null>
  /** SIGKILL: no time to tidy up. */
  kill(): Promise<void>
  /** Starts again on the same data directory and address, `kill` or `end` having been called before. */
  restart(): Promise<void>
}

export type StandaloneOptions = {
  /** More environment of the process; it inherits no setting of ours from the one that runs the tests. */
  readonly env?: Readonly<Record<string, string>>
}

const main = join(import.meta.dirname, '../services/standalone/src/main.ts')
const startWithinMs = 60_000
const stopWithinMs = 15_000

/** The environment without our settings, so that a developer's own ones do not change what is tested. */
const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(CAIRN|OTEL)_/.test(name) && name !== 'PORT' && name !== 'NODE_ENV',
    ),
  )

const exited = async (child: ChildProcess, withinMs: number): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null)
    await once(child, 'exit', { signal: AbortSignal.timeout(withinMs) })
  return child.exitCode
}

/** A start that is meant to fail: resolves to how it ended and what it said. */
export const runStandalone = async (
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const child = spawn(process.execPath, [main], {
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  try {
    await once(child, 'close', { signal: AbortSignal.timeout(startWithinMs) })
    return { code: child.exitCode, output }
  } finally {
    child.kill('SIGKILL')
  }
}

const isReady = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}

/** Starts `services/standalone` as its users do, on a free port and a data directory of its own, and waits until it is ready. */
export const startStandalone = async ({ env = {} }: StandaloneOptions = {}): Promise<Standalone> => {
  const dataDir = env['CAIRN_DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'cairn-e2e-'))
  let output = ''
  let port = '0'
  let child: ChildProcess
  let wasEnded = false

  const isAlive = () => child.exitCode === null && child.signalCode === null
  const killWithUs = () => void child.kill('SIGKILL')
  const start = async (): Promise<void> => {
    const settings = { CAIRN_EMBEDDER: 'lexical', CAIRN_DATA_DIR: dataDir, PORT: port }
    const from = output.length
    child = spawn(process.execPath, [main], {
      env: { ...cleanEnvironment(), ...settings, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
    wasEnded = false
    process.once('exit', killWithUs)
    const said = () => output.slice(from)
    const address = () => /listening on http:\/\/localhost:(\d+)/.exec(said())
    await eventually(address, (found) => found !== null || !isAlive(), { withinMs: startWithinMs, everyMs: 10 })
    port = address()?.[1] ?? port
    const ready = async () => !isAlive() || (await isReady(`http://127.0.0.1:${port}`))
    await eventually(ready, (yes) => yes, { withinMs: startWithinMs, everyMs: 20 })
    if (!isAlive())
      throw new Error(`the process ended with ${child.exitCode ?? child.signalCode} at its start: ${said()}`)
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    wasEnded = true
    child.kill(signal)
    const code = await exited(child, stopWithinMs)
    process.off('exit', killWithUs)
    return code
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
        return child.pid
      },
      logs: () => output,
      end: () => end('SIGTERM'),
      kill: async () => void (await end('SIGKILL')),
      restart: start,
      stop: async () => {
        try {
          // One that was killed on purpose is left as it is; one that ended by itself never may.
          const code = wasEnded ? 0 : isAlive() ? await end('SIGTERM') : (child.exitCode ?? child.signalCode)
          if (code !== 0) throw new Error(`the process ended with ${code}: ${output.slice(-4_000)}`)
        } finally {
          child.kill('SIGKILL')
          removeFiles()
        }
      },
    }
  } catch (error) {
    child!.kill('SIGKILL')
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

/** Whether every target is a process of our own, so that tests may read its files and end it. */
export const isStandalone = (): boolean => wanted() === 'standalone'

/** Whether they are clusters of our own on running engines. */
export const isCluster = (): boolean => wanted() === 'cluster'

/** What `E2E_TARGET` names: `standalone` (default), `cluster` (processes of our own on running engines), or the address of a running system with its CAIRN_API_KEY and CAIRN_ADMIN_KEY. */
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

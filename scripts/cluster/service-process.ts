import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

/** A process of a service; restarted whenever it exits without `stop` or `kill`. */
export type ServiceProcess = {
  /** Name of the process, for example `ingestion-2`. */
  readonly name: string
  readonly service: string
  /** Returns the process id; 0 while the process is not running. */
  pid(): number
  /** Returns the listening port that the process reported; 0 until the first report after a start. */
  port(): number
  /** Whether the process should run: it was started, and not stopped or killed by these functions since then. */
  shouldRun(): boolean
  /** Returns the number of starts. */
  starts(): number
  /**
   * Sends a signal to the running process; returns whether a process was running. A process that exits because of the
   * signal is restarted.
   */
  signal(signal: NodeJS.Signals): boolean
  /**
   * Sends SIGTERM, then SIGKILL after `graceMs`; the process is not restarted until `start`. Resolves to the exit code:
   * null after a signal, 0 if the process was not running.
   */
  stop(graceMs?: number): Promise<number | null>
  /** Sends SIGKILL; the process is not restarted until `start`. Resolves once the process has exited. */
  kill(): Promise<void>
  start(): void
}

export type ServiceProcessOptions = {
  readonly name: string
  readonly service: string
  readonly main: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called with each line of output. */
  readonly onLine: (name: string, line: string) => void
  /** Called with the exit code or the signal whenever the process exits without `stop` or `kill`. */
  readonly onEnd?: (name: string, how: number | string) => void
  /** Delay before a restart in milliseconds, doubled after each early exit up to 15 s. Default: 500. */
  readonly restartAfterMs?: number
}

const defaultGraceMs = 12_000
const maxPauseMs = 15_000
/** A process that exits after running at least this long is not counted as an early exit. */
const settledMs = 10_000

const parsed = (line: string): { readonly msg?: unknown; readonly port?: unknown } | undefined => {
  try {
    return JSON.parse(line) as object
  } catch {
    return undefined
  }
}

export const serviceProcess = (options: ServiceProcessOptions): ServiceProcess => {
  const { name, service, main, env, onLine, onEnd, restartAfterMs = 500 } = options
  let child: ChildProcess | undefined
  let shouldRun = false
  let starts = 0
  let quickEnds = 0
  let port = 0
  // Kills the child process however this process exits.
  const killWithUs = () => void child?.kill('SIGKILL')

  const read = (stream: NodeJS.ReadableStream | null) => {
    if (!stream) return
    createInterface({ input: stream }).on('line', (line) => {
      const entry = parsed(line)
      if (entry?.msg === 'ready' && typeof entry.port === 'number') port = entry.port
      onLine(name, line)
    })
  }

  const launch = () => {
    const started = performance.now()
    starts += 1
    port = 0
    // `detached` gives the child its own process group: Ctrl-C would otherwise signal it directly, in addition to our
    // signal.
    const own = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    child = own
    read(own.stdout)
    read(own.stderr)
    own.once('exit', async (code, signal) => {
      if (child === own) child = undefined
      if (!shouldRun) return
      quickEnds = performance.now() - started > settledMs ? 0 : quickEnds + 1
      const pauseMs = Math.min(restartAfterMs * 2 ** Math.max(0, quickEnds - 1), maxPauseMs)
      onLine(name, `${new Date().toISOString()} ended with ${code ?? signal}, started again in ${pauseMs} ms`)
      onEnd?.(name, code ?? signal ?? 'unknown')
      await pause(pauseMs)
      if (shouldRun && !child) launch()
    })
  }

  /** Marks the process as stopped; returns the running process, if any, and the promise of its exit. */
  const markStopped = () => {
    shouldRun = false
    process.off('exit', killWithUs)
    const own = child
    return own && { own, ended: once(own, 'exit') as Promise<[number | null]> }
  }

  return {
    name,
    service,
    pid: () => child?.pid ?? 0,
    port: () => port,
    shouldRun: () => shouldRun,
    starts: () => starts,
    signal: (signal) => child?.kill(signal) ?? false,
    start: () => {
      if (shouldRun) return
      shouldRun = true
      process.once('exit', killWithUs)
      launch()
    },
    stop: async (graceMs = defaultGraceMs) => {
      const last = markStopped()
      if (!last) return 0
      const { own, ended } = last
      // A process paused by SIGSTOP does not handle SIGTERM.
      own.kill('SIGCONT')
      own.kill('SIGTERM')
      const late = setTimeout(() => own.kill('SIGKILL'), graceMs)
      const [code] = await ended
      clearTimeout(late)
      return code
    },
    kill: async () => {
      const last = markStopped()
      last?.own.kill('SIGKILL')
      await last?.ended
    },
  }
}

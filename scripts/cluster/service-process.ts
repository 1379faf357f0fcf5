import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

/** One process of one service, started again whenever it ends without being told to. */
export type ServiceProcess = {
  /** `ingestion-2`. */
  readonly name: string
  readonly service: string
  /** 0 while it is not running. */
  pid(): number
  /** Where it says it listens; 0 before it has said so in this life. */
  port(): number
  /** Whether it is meant to run: started, and neither stopped nor killed by these functions since. */
  wanted(): boolean
  /** How often it has been started. */
  starts(): number
  /** Sends a signal to the process that runs now; whether there was one. A killed one is started again. */
  signal(signal: NodeJS.Signals): boolean
  /** SIGTERM, then SIGKILL after `graceMs`; not started again until `start`. Resolves to the exit code, null after a signal. */
  stop(graceMs?: number): Promise<number | null>
  /** SIGKILL; not started again until `start`. Resolves once it is gone. */
  kill(): Promise<void>
  start(): void
}

export type ServiceProcessOptions = {
  readonly name: string
  readonly service: string
  readonly main: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Told each line it writes. */
  readonly onLine: (name: string, line: string) => void
  /** Told of each end that neither `stop` nor `kill` asked for: the exit code, or the signal. */
  readonly onEnd?: (name: string, how: number | string) => void
  /** Pause before it is started again, doubled with every quick end up to 15 s. Default: 500 ms. */
  readonly restartAfterMs?: number
}

const defaultGraceMs = 12_000
const mostPauseMs = 15_000
/** Whoever ran that long did not fail at the start. */
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
  let wanted = false
  let starts = 0
  let quickEnds = 0
  let port = 0
  // Whatever ends this process without a chance to tidy up: nothing of ours stays behind.
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
    // A group of its own: Ctrl-C goes to all of a terminal's group, and would be a second signal beside ours.
    const own = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    child = own
    read(own.stdout)
    read(own.stderr)
    own.once('exit', async (code, signal) => {
      if (child === own) child = undefined
      if (!wanted) return
      quickEnds = performance.now() - started > settledMs ? 0 : quickEnds + 1
      const pauseMs = Math.min(restartAfterMs * 2 ** Math.max(0, quickEnds - 1), mostPauseMs)
      onLine(name, `${new Date().toISOString()} ended with ${code ?? signal}, started again in ${pauseMs} ms`)
      onEnd?.(name, code ?? signal ?? 'unknown')
      await pause(pauseMs)
      if (wanted && !child) launch()
    })
  }

  /** Nobody wants it any more: the process that runs now, if there is one, and its end. */
  const dismiss = () => {
    wanted = false
    process.off('exit', killWithUs)
    const own = child
    return own && { own, ended: once(own, 'exit') as Promise<[number | null]> }
  }

  return {
    name,
    service,
    pid: () => child?.pid ?? 0,
    port: () => port,
    wanted: () => wanted,
    starts: () => starts,
    signal: (signal) => child?.kill(signal) ?? false,
    start: () => {
      if (wanted) return
      wanted = true
      process.once('exit', killWithUs)
      launch()
    },
    stop: async (graceMs = defaultGraceMs) => {
      const last = dismiss()
      if (!last) return 0
      const { own, ended } = last
      // A stopped process (SIGSTOP) takes no SIGTERM.
      own.kill('SIGCONT')
      own.kill('SIGTERM')
      const late = setTimeout(() => own.kill('SIGKILL'), graceMs)
      const [code] = await ended
      clearTimeout(late)
      return code
    },
    kill: async () => {
      const last = dismiss()
      last?.own.kill('SIGKILL')
      await last?.ended
    },
  }
}

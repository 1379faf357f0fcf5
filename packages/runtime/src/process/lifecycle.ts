import type { Logger } from './logger.ts'

/** Both are idempotent. */
export type Service = {
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Creates a service. `run` registers, step by step, how each step is undone. Concurrent starts share one promise. A
 * failed start is undone
 * and may be repeated. `stop` waits for a start in progress, then undoes all steps in reverse order, even when undoing
 * one fails.
 *
 *     createService(async (onStop) => {
 *       const server = await listen(app, port)
 *       onStop(() => close(server))
 *     })
 */
export const createService = (run: (onStop: (undo: () => Promise<unknown>) => void) => Promise<void>): Service => {
  const undos: (() => Promise<unknown>)[] = []
  let starting: Promise<void> | undefined
  let stopping: Promise<void> | undefined

  const undoAll = async () => {
    const failures: unknown[] = []
    for (let undo = undos.pop(); undo; undo = undos.pop()) await undo().catch((error: unknown) => failures.push(error))
    if (failures.length > 0)
      throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'not everything could be stopped')
  }

  const startOnce = async () => {
    try {
      await run((undo) => undos.push(undo))
    } catch (error) {
      await undoAll().catch(() => {})
      starting = undefined
      throw error
    }
  }

  const stopOnce = async () => {
    await starting?.catch(() => {})
    starting = undefined
    await undoAll()
  }

  const start = (): Promise<void> => {
    if (stopping) return stopping.then(start, start)
    starting ??= startOnce()
    return starting
  }

  return {
    start,
    stop: () => {
      stopping ??= stopOnce().finally(() => {
        stopping = undefined
      })
      return stopping
    },
  }
}

type Closable = { close(): Promise<void> }

/** Parts of `process`; tests pass their own. */
type Host = {
  on(event: string, listener: (value: unknown) => void): unknown
  off(event: string, listener: (value: unknown) => void): unknown
  exit(code: number): void
}

export type RunOptions = {
  /** After the services have stopped, in this order. */
  readonly closeAfter: readonly Closable[]
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Called before the process ends by an uncaught error, a failed start, or `end` with a reason. */
  readonly onFatal?: (error: unknown) => void
  /** Default: `process`. */
  readonly host?: Host
  /** All stopping and closing. Default: 10,000. */
  readonly stopWithinMs?: number
}

export type RunningProcess = {
  /** Stops the services, closes the stores and exits: with 1 for a reason, or if stopping fails, else with 0. */
  end(reason?: unknown): Promise<void>
}

/** Reserved for closing the stores, which must still write pending changes. */
const closeShare = 0.1

const within = async (ms: number, work: Promise<unknown>): Promise<'done' | 'late'> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, ms, 'late')
  })
  try {
    return await Promise.race([work.then(() => 'done' as const), late])
  } finally {
    clearTimeout(timer)
  }
}

class Running implements RunningProcess {
  readonly #services: readonly Service[]
  readonly #options: RunOptions
  readonly #host: Host
  #ending: Promise<void> | undefined
  #failed = false

  constructor(services: readonly Service[], options: RunOptions) {
    this.#services = services
    this.#options = options
    this.#host = options.host ?? process
  }

  async start(): Promise<void> {
    for (const [event, listener] of this.#listeners) this.#host.on(event, listener)
    try {
      for (const service of this.#services) {
        if (this.#ending) break
        await service.start()
      }
    } catch (error) {
      // A signal during the start stops what is starting; that is no failure.
      if (!this.#ending) await this.end(error)
    }
    if (this.#ending) await this.#ending
  }

  end(reason?: unknown): Promise<void> {
    this.#ending ??= this.#end(reason)
    return this.#ending
  }

  async #end(reason: unknown): Promise<void> {
    if (reason !== undefined) this.#fail(reason, 'process ends')
    const from = performance.now()
    await this.#stopAll()
    const outcome = this.#failed ? 'failed' : 'ok'
    this.#options.log.info({ ms: Math.round(performance.now() - from), outcome }, 'stopped')
    for (const [event, listener] of this.#listeners) this.#host.off(event, listener)
    this.#host.exit(this.#failed ? 1 : 0)
  }

  async #stopAll(): Promise<void> {
    const { closeAfter, log, stopWithinMs = 10_000 } = this.#options
    const deadline = performance.now() + stopWithinMs * (1 - closeShare)
    for (const service of this.#services.toReversed()) {
      const outcome = await within(deadline - performance.now(), this.#runAndLog('a service', service.stop))
      if (outcome === 'done') continue
      this.#failed = true
      log.error({}, 'services did not stop in time')
      break
    }
    const closed = this.#runAndLog('a store', async () => {
      for (const store of closeAfter) await store.close()
    })
    // For the rest of the limit: closing is slow when the engine is unreachable.
    const left = deadline + stopWithinMs * closeShare - performance.now()
    if ((await within(Math.max(left, stopWithinMs * closeShare), closed)) === 'done') return
    this.#failed = true
    log.error({}, 'stores did not close in time')
  }

  async #runAndLog(what: string, action: () => Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      this.#failed = true
      this.#options.log.error({ err: error }, `${what} could not be ended`)
    }
  }

  #fail(error: unknown, message: string): void {
    this.#failed = true
    this.#options.log.error({ err: error }, message)
    this.#options.onFatal?.(error)
  }

  #onSignal(signal: unknown): void {
    const { log } = this.#options
    if (this.#ending) {
      log.warn({ signal }, 'second signal received, exiting at once')
      this.#host.exit(1)
    } else {
      log.info({ signal }, 'stopping')
      void this.end()
    }
  }

  /** The state is unknown now. Durable data is safe; the rest is not worth saving. */
  #crash(error: unknown, message: string): void {
    this.#fail(error, message)
    this.#host.exit(1)
  }

  readonly #listeners: readonly (readonly [event: string, listener: (value: unknown) => void])[] = [
    ['SIGTERM', (signal) => this.#onSignal(signal)],
    ['SIGINT', (signal) => this.#onSignal(signal)],
    ['unhandledRejection', (error) => this.#crash(error, 'unhandled rejection')],
    ['uncaughtException', (error) => this.#crash(error, 'uncaught exception')],
  ]
}

/**
 * Resolves when all run. SIGTERM or SIGINT stops them in reverse order (the last one takes requests), closes the stores
 * and exits with 0, or with 1 if that failed or took longer than `stopWithinMs`; a second signal exits at once. A
 * failed start, an unhandled rejection or an uncaught exception is logged and exits with 1.
 */
export const runProcess = async (services: readonly Service[], options: RunOptions): Promise<RunningProcess> => {
  const running = new Running(services, options)
  await running.start()
  return running
}

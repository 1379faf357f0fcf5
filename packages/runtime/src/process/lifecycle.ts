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

const signals = ['SIGTERM', 'SIGINT'] as const
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

/**
 * Resolves when all run. SIGTERM or SIGINT stops them in reverse order (the last one takes requests), closes the stores
 * and exits with 0, or with 1 if that failed or took longer than `stopWithinMs`; a second signal exits at once. A
 * failed start, an unhandled rejection or an uncaught exception is logged and exits with 1.
 */
export const runProcess = async (services: readonly Service[], options: RunOptions): Promise<RunningProcess> => {
  const { closeAfter, log, onFatal, host = process, stopWithinMs = 10_000 } = options
  let ending: Promise<void> | undefined
  let failed = false

  const fail = (error: unknown, message: string) => {
    failed = true
    log.error({ err: error }, message)
    onFatal?.(error)
  }

  const runAndLog = async (what: string, action: () => Promise<void>) => {
    try {
      await action()
    } catch (error) {
      failed = true
      log.error({ err: error }, `${what} could not be ended`)
    }
  }

  const stopAll = async () => {
    const deadline = performance.now() + stopWithinMs * (1 - closeShare)
    for (const service of services.toReversed()) {
      const outcome = await within(deadline - performance.now(), runAndLog('a service', service.stop))
      if (outcome === 'done') continue
      failed = true
      log.error({}, 'services did not stop in time')
      break
    }
    const closed = runAndLog('a store', async () => {
      for (const store of closeAfter) await store.close()
    })
    // For the rest of the limit: closing is slow when the engine is unreachable.
    const left = deadline + stopWithinMs * closeShare - performance.now()
    if ((await within(Math.max(left, stopWithinMs * closeShare), closed)) === 'done') return
    failed = true
    log.error({}, 'stores did not close in time')
  }

  const release = () => {
    for (const signal of signals) host.off(signal, onSignal)
    host.off('unhandledRejection', onUnhandled)
    host.off('uncaughtException', onUncaught)
  }

  const end = (reason?: unknown) => {
    ending ??= (async () => {
      if (reason !== undefined) fail(reason, 'process ends')
      const from = performance.now()
      await stopAll()
      log.info({ ms: Math.round(performance.now() - from), outcome: failed ? 'failed' : 'ok' }, 'stopped')
      release()
      host.exit(failed ? 1 : 0)
    })()
    return ending
  }

  const onSignal = (signal: unknown) => {
    if (ending) {
      log.warn({ signal }, 'second signal received, exiting at once')
      return host.exit(1)
    }
    log.info({ signal }, 'stopping')
    void end()
  }
  // The state is unknown now. Durable data is safe; the rest is not worth saving.
  const crash = (message: string) => (error: unknown) => {
    fail(error, message)
    host.exit(1)
  }
  const onUnhandled = crash('unhandled rejection')
  const onUncaught = crash('uncaught exception')
  for (const signal of signals) host.on(signal, onSignal)
  host.on('unhandledRejection', onUnhandled)
  host.on('uncaughtException', onUncaught)
  try {
    for (const service of services) {
      if (ending) break
      await service.start()
    }
  } catch (error) {
    // A signal during the start stops what is starting; that is no failure.
    if (!ending) await end(error)
  }
  if (ending) await ending
  return { end }
}

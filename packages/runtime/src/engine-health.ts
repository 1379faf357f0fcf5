import type { Clock } from '@cairn/ports/clock/port'
import type { Embedders } from '@cairn/ports/embedder/port'
import type { MessageBus } from '@cairn/ports/message-bus/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import type { VectorIndex } from '@cairn/ports/vector-index/port'
import type { Health } from './health.ts'
import type { Service } from './lifecycle.ts'
import type { Logger } from './logger.ts'

/** What a service reads from the bus. */
export type Queue = { readonly group: string; readonly topic: string }

export type Engines = {
  readonly metadata: Pick<Metadata, 'now'>
  readonly vectors: Pick<VectorIndex, 'count'>
  readonly bus: Pick<MessageBus, 'check'>
}

const asksEveryMs = 1_000
const saysEveryMs = 5_000

/**
 * Whether the stores and the bus answer, each by the cheapest call it has. `servesWithoutBus`: of a process that needs no bus for what
 * it is asked for, an outage of it is reported in `detail`, and the process stays ready.
 */
export const watchEngines = (
  health: Pick<Health, 'dependency'>,
  { metadata, vectors, bus }: Engines,
  queue: Queue,
  { servesWithoutBus = false }: { readonly servesWithoutBus?: boolean } = {},
): void => {
  health.dependency('metadata', async () => ({ ok: (await metadata.now()) > 0 }))
  health.dependency('vector-index', async () => ({ ok: (await vectors.count({ key: 'probe', dimension: 1 }, 'probe')) === 0 }))
  health.dependency('message-bus', async () => {
    try {
      await bus.check(queue.topic)
      return { ok: true }
    } catch (error) {
      if (!servesWithoutBus) throw error
      return { ok: true, detail: 'the message bus does not answer; jobs start up to a few seconds later' }
    }
  })
}

/** What `current` embedder new namespaces get, and whether it is the configured one. */
export const watchEmbedders = (health: Pick<Health, 'dependency'>, embedders: Embedders, configured: string): void =>
  health.dependency('embedder', async () => {
    const { model, check } = embedders.current()
    const { state } = await check()
    if (state === 'loading')
      return { ok: false, detail: `the model ${model.model} is being made ready; uploads wait, text search answers 503` }
    if (state === 'failed') return { ok: false, detail: `the model ${model.model} can't be used; uploads wait, text search answers 503` }
    return model.provider === configured
      ? { ok: true }
      : { ok: true, detail: `${configured} can't be used; new namespaces are ${model.provider}` }
  })

/**
 * Processes start in any order: this one goes on when everything it needs answers, and says what it waits for. Stopping it
 * ends the waiting.
 *
 *     await runProcess([opsServer, waitForEngines({ health, clock, log }), service], …)
 */
export const waitForEngines = (options: {
  readonly health: Pick<Health, 'report'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Dependencies that are not waited for. */
  readonly except?: readonly string[]
}): Service => {
  const { health, clock, log, except = [] } = options
  const stopped = new AbortController()
  return {
    start: async () => {
      let said = Number.NEGATIVE_INFINITY
      while (!stopped.signal.aborted) {
        const { dependencies } = await health.report()
        const missing = Object.entries(dependencies).flatMap(([name, { ok }]) => (ok || except.includes(name) ? [] : [name]))
        if (missing.length === 0) return
        if (clock.monotonic() - said >= saysEveryMs) {
          log.warn({ missing: missing.join(', ') }, 'waiting for dependencies')
          said = clock.monotonic()
        }
        await clock.delay(asksEveryMs, stopped.signal)
      }
    },
    stop: async () => stopped.abort(),
  }
}

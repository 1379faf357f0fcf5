import { unreadScripts } from '@cairn/contracts/text/scripts'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Embedders } from '@cairn/domain/ports/embedder'
import type { MessageBus } from '@cairn/domain/ports/message-bus'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import type { Health } from './health.ts'
import type { CoverageOf } from './language-coverage.ts'
import type { Service } from './lifecycle.ts'
import type { Logger } from './logger.ts'

export type Engines = {
  readonly store: Pick<Store, 'now'>
  readonly vectors: Pick<VectorIndex, 'count'>
  readonly bus: Pick<MessageBus, 'check'>
}

const checkEveryMs = 1_000
const logEveryMs = 5_000

/** Makes the cheapest call of each engine. `servesWithoutBus`: stays ready without the bus, and says so in `detail`. */
export const watchEngines = (
  health: Pick<Health, 'dependency'>,
  { store, vectors, bus }: Engines,
  topic: string,
  { servesWithoutBus = false }: { readonly servesWithoutBus?: boolean } = {},
): void => {
  health.dependency('metadata', async () => ({ ok: (await store.now()) > 0 }))
  health.dependency('vector-index', async () => ({
    ok: (await vectors.count({ key: 'probe', dimension: 1 }, 'probe')) === 0,
  }))
  health.dependency('message-bus', async () => {
    try {
      await bus.check(topic)
      return { ok: true }
    } catch (error) {
      if (!servesWithoutBus) throw error
      return { ok: true, detail: 'the message bus does not answer; jobs start up to a few seconds later' }
    }
  })
}

/** Reports which embedder new namespaces get, whether it is the configured one, and what scripts it can't read. */
export const watchEmbedders = (
  health: Pick<Health, 'dependency'>,
  embedders: Embedders,
  configured: string,
  coverageOf: CoverageOf = async () => undefined,
): void =>
  health.dependency('embedder', async () => {
    const embedder = embedders.current()
    const { model } = embedder
    const status = await embedder.check()
    if (status.state === 'loading')
      return {
        ok: false,
        detail: `the model ${model.model} is loading; uploads wait, text search answers 503`,
        ...(status.progress === undefined ? {} : { progress: status.progress }),
      }
    if (status.state === 'failed')
      return { ok: false, detail: `the model ${model.model} can't be used; uploads wait, text search answers 503` }
    if (model.provider !== configured)
      return { ok: true, detail: `${configured} can't be used; new namespaces are ${model.provider}` }
    const unread = unreadScripts(await coverageOf(embedder))
    if (unread.length === 0) return { ok: true }
    const isEnglish = unread.length > 4 && !unread.includes('English')
    const reads = isEnglish ? 'English; texts in other languages' : `most languages; texts in ${unread.join(', ')}`
    return { ok: true, detail: `the model ${model.model} reads ${reads} are found by their words` }
  })

/** Its start waits until every dependency is healthy, because processes start in any order. Stopping ends the wait. */
export const waitForEngines = (options: {
  readonly health: Pick<Health, 'report'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Not waited for. */
  readonly except?: readonly string[]
}): Service => {
  const { health, clock, log, except = [] } = options
  const stopped = new AbortController()
  return {
    start: async () => {
      let loggedAt = Number.NEGATIVE_INFINITY
      while (!stopped.signal.aborted) {
        const { dependencies } = await health.report()
        const missing = Object.entries(dependencies).flatMap(([name, { ok }]) =>
          ok || except.includes(name) ? [] : [name],
        )
        if (missing.length === 0) return
        if (clock.monotonic() - loggedAt >= logEveryMs) {
          log.warn({ missing: missing.join(', ') }, 'waiting for dependencies')
          loggedAt = clock.monotonic()
        }
        await clock.delay(checkEveryMs, stopped.signal)
      }
    },
    stop: async () => stopped.abort(),
  }
}

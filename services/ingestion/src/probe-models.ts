import type { Clock } from '@cairn/domain/ports/clock'
import { type Embedder, type Embedders, identityOf } from '@cairn/domain/ports/embedder'
import type { Store } from '@cairn/domain/store'
import { measureCoverage, measureLanguage, probeVersion } from '@cairn/domain/text/coverage/measure-coverage'
import { needsProbe } from '@cairn/runtime/process/language-coverage'
import type { Logger } from '@cairn/runtime/process/logger'

export type ProbeDeps = {
  readonly store: Pick<Store, 'modelProbes'>
  readonly embedders: Embedders
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/** After a failed probe; doubles up to a day. */
const pauseMs = { first: 60_000, max: 86_400_000 } as const

/** Results are kept when a probe breaks off, so that no sentence is paid for twice. */
type Progress = { readonly results: Map<string, number>; pauseMs: number; nextAt: number }

/**
 * Probes each unmeasured model in use, once per identity, with the sentences of `probeLanguages`. `work` never rejects
 * because of a model. `hasWork`: whether a model is due.
 */
export const createModelProbes = ({ store, embedders, clock, log }: ProbeDeps) => {
  const progress = new Map<string, Progress>()
  const done = new Set<string>()

  const progressOf = (id: string): Progress => {
    const known = progress.get(id) ?? { results: new Map(), pauseMs: pauseMs.first, nextAt: 0 }
    progress.set(id, known)
    return known
  }

  const dueModels = async (): Promise<Embedder[]> => {
    const offered = [embedders.current(), ...embedders.names().map((name) => embedders.named(name))]
    const due: Embedder[] = []
    for (const embedder of new Set(offered)) {
      if (!embedder || !needsProbe(embedder)) continue
      if (embedder.isIdle?.() || embedder.status().state !== 'ready') continue
      const id = identityOf(embedder.model)
      if (done.has(id) || clock.monotonic() < progressOf(id).nextAt) continue
      if ((await store.modelProbes.get(id))?.version === probeVersion) done.add(id)
      else due.push(embedder)
    }
    return due
  }

  const probe = async (embedder: Embedder, signal: AbortSignal): Promise<void> => {
    const id = identityOf(embedder.model)
    const { model } = embedder.model
    const state = progressOf(id)
    const from = clock.monotonic()
    try {
      const reads = await measureCoverage(async (language) => {
        const known = state.results.get(language.language)
        if (known !== undefined) return known
        signal.throwIfAborted()
        const result = await measureLanguage(embedder, language, signal)
        state.results.set(language.language, result)
        return result
      })
      if (Object.keys(reads).length === 0) {
        // Rather a server that refuses every text, or is set up wrongly, than a model: ask again.
        state.results.clear()
        throw new Error('the model reads no language of the probe')
      }
      await store.modelProbes.record({ id, version: probeVersion, reads, at: clock.now() })
      done.add(id)
      log.info({ model, reads, ms: Math.round(clock.monotonic() - from) }, 'model probed')
    } catch (error) {
      if (signal.aborted) return
      state.nextAt = clock.monotonic() + state.pauseMs
      log.warn({ model, err: error, retryInMs: state.pauseMs }, 'model probe failed')
      state.pauseMs = Math.min(pauseMs.max, 2 * state.pauseMs)
    }
  }

  return {
    hasWork: async (): Promise<boolean> => (await dueModels()).length > 0,
    work: async (signal: AbortSignal): Promise<void> => {
      for (const embedder of await dueModels()) if (!signal.aborted) await probe(embedder, signal)
    },
  }
}

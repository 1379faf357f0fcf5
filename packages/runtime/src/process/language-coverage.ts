import type { LanguageCoverage } from '@cairn/contracts/text/scripts'
import type { Clock } from '@cairn/domain/ports/clock'
import { type Embedder, identityOf } from '@cairn/domain/ports/embedder'
import type { Store } from '@cairn/domain/store'
import { probeVersion } from '@cairn/domain/text/coverage/measure-coverage'

/** Until there is a result. */
const lookEveryMs = 30_000

/** Holds if the model is not in the catalogue and compares meanings rather than words. */
export const needsProbe = ({ model, reads }: Pick<Embedder, 'model' | 'reads'>): boolean =>
  reads === undefined && model.provider !== 'lexical'

/**
 * Returns what the catalogue says, or the stored probe has measured; undefined before. Never rejects: a search doesn't
 * fail because of it.
 */
export const createLanguageCoverage = ({
  store,
  clock,
}: {
  readonly store: Pick<Store, 'modelProbes'>
  readonly clock: Pick<Clock, 'monotonic'>
}) => {
  type Result = LanguageCoverage | undefined
  const results = new Map<string, { readonly until: number; readonly result: Promise<Result> }>()

  const look = async (id: string): Promise<Result> => {
    const probe = await store.modelProbes.get(id).catch(() => undefined)
    if (probe?.version !== probeVersion) return undefined
    results.set(id, { until: Number.POSITIVE_INFINITY, result: Promise.resolve(probe.reads) })
    return probe.reads
  }

  return async (embedder: Pick<Embedder, 'model' | 'reads'>): Promise<Result> => {
    if (!needsProbe(embedder)) return embedder.reads
    const id = identityOf(embedder.model)
    const known = results.get(id)
    if (known && clock.monotonic() < known.until) return known.result
    const result = look(id)
    results.set(id, { until: clock.monotonic() + lookEveryMs, result })
    return result
  }
}

export type CoverageOf = ReturnType<typeof createLanguageCoverage>

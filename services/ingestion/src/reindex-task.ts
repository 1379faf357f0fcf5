import { isAppError } from '@cairn/contracts/errors'
import type { JobSteps } from '@cairn/domain/jobs/job-run'
import { spaceOfModel } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace, Reindex } from '@cairn/domain/namespaces/record'
import type { Logger } from '@cairn/runtime/process/logger'
import { retryUnavailable } from '@cairn/runtime/process/retry'
import { compareSpaces } from './compare-spaces.ts'
import type { IndexDeps } from './deps.ts'
import { type Filled, fillSpaces } from './fill-spaces.ts'
import { waitingFor } from './waiting-for.ts'

export type ReindexDeps = IndexDeps & {
  readonly log: Pick<Logger, 'info' | 'warn'>
  /**
   * First wait in `closing` and `removing`: requests and jobs that read the namespace before have usually ended by
   * then. Default: 30,000, the lease of a job.
   */
  readonly settleMs?: number | undefined
}

/** Some phases begin with a wait until a store time. */
type Place =
  | { readonly of: 'wait'; readonly until: number }
  | { readonly of: 'items' | 'chunks'; readonly after: string }

type Active = { readonly namespace: Namespace; readonly reindex: Reindex }
type Change = Partial<Omit<Reindex, 'id' | 'embedding'>>
/** The reindex can be advanced again immediately. */
type Advanced = boolean

const phases = ['filling', 'filled', 'closing', 'former', 'removing'] as const
/** Always have work; the other phases last for days. */
const busyPhases = ['filling', 'closing', 'removing'] as const
const idlePhasesEveryMs = 60_000
const namespacesAtOnce = 100
const sourcesAtOnce = 100
const pointsAtOnce = 500
/** After each step, so that reindexes never keep a machine busy. */
const pauseMs = 20

const rejections = (count: number): string =>
  `The model rejects ${count} ${count === 1 ? 'item' : 'items'}, which it would not find. Flip to it all the same, or cancel the reindex.`

/**
 * Advances every reindex by one repeatable step: a range of a pass, a change of the phase, or a slice of the removal.
 * `range` is for `runTask`, with a cursor while there is more to do. `hasWork` checks reindexes that wait or are kept
 * once a minute.
 */
export const createReindexTask = (deps: ReindexDeps) => {
  const { store, vectors, embedders, clock, log, settleMs = 30_000 } = deps
  const { namespaces } = store

  const change = async ({ namespace, reindex }: Active, to: Change): Promise<Advanced> => {
    const changed = await namespaces.changeReindex(namespace.id, reindex, to)
    return changed !== undefined
  }

  const enter = async (active: Active, phase: Reindex['phase'], to: Change = {}): Promise<Advanced> => {
    const { namespace, reindex } = active
    log.info({ namespace: namespace.id, reindex: reindex.id, from: reindex.phase, to: phase }, 'reindex continues')
    return change(active, { error: null, ...to, phase, phaseAt: clock.now(), cursor: null })
  }

  /** Writers that read this phase must fill both spaces, so it can't wait for long. */
  const giveUpClosing = (active: Active, error: string, isAutomatic = active.reindex.isAutomatic): Promise<Advanced> =>
    enter(active, active.reindex.flippedAt === null ? 'filled' : 'former', { error, isAutomatic })

  /** Resolves to the position after the wait; undefined while it lasts. */
  const afterWait = async (active: Active): Promise<Exclude<Place, { of: 'wait' }> | undefined> => {
    const now = await store.now()
    const { cursor } = active.reindex
    const place: Place = cursor === null ? { of: 'wait', until: now + settleMs } : JSON.parse(cursor)
    if (place.of !== 'wait') return place
    if (cursor === null) await change(active, { cursor: JSON.stringify(place) })
    return now < place.until ? undefined : { of: 'items', after: '' }
  }

  /** `next`: position after the page; undefined at the end. */
  const fillPage = async (
    steps: JobSteps,
    { namespace, reindex: { embedding } }: Active,
    { of, after }: Exclude<Place, { of: 'wait' }>,
  ): Promise<{ readonly filled: Filled; readonly met: number; readonly next: Place | undefined }> => {
    const fill = fillSpaces(deps, steps)
    const targets = [{ space: spaceOfModel(embedding), embedder: embedders.of(embedding) }]
    if (of === 'items') {
      const page = await steps.step('read', () => store.items.page(namespace.id, { after, limit: sourcesAtOnce }))
      const filled = await fill.ofItems(namespace, page, targets)
      const last = page.length < sourcesAtOnce ? undefined : page.at(-1)?.id
      return { filled, met: page.length, next: last === undefined ? { of: 'chunks', after: '' } : { of, after: last } }
    }
    const page = await steps.step('read', () => store.chunks.page(namespace.id, { after, limit: sourcesAtOnce }))
    const filled = await fill.ofChunks(namespace, page, targets)
    const last = page.length < sourcesAtOnce ? undefined : page.at(-1)?.itemId
    return { filled, met: page.length, next: last === undefined ? undefined : { of, after: last } }
  }

  /** Calls `atEnd` after the last range. */
  const pass = async (
    steps: JobSteps,
    active: Active,
    place: Exclude<Place, { of: 'wait' }>,
    atEnd: (counts: Pick<Reindex, 'passed' | 'written' | 'rejected'>) => Promise<Advanced>,
  ): Promise<Advanced> => {
    const { reindex } = active
    const { embedding, passed, written, rejected } = reindex
    const embedder = embedders.of(embedding)
    if (!embedder || (await embedder.check()).state !== 'ready') {
      const error = waitingFor(embedder, embedding)
      if (reindex.phase === 'closing') await giveUpClosing(active, error)
      else if (reindex.error !== error) await change(active, { error })
      return false
    }
    const { filled, met, next } = await fillPage(steps, active, place)
    const counts = {
      passed: passed + met,
      written: written + filled.written,
      rejected: rejected + filled.rejected,
    }
    return next ? change(active, { ...counts, error: null, cursor: JSON.stringify(next) }) : atEnd(counts)
  }

  const fillAll = (steps: JobSteps, active: Active): Promise<Advanced> => {
    const { cursor } = active.reindex
    return pass(steps, active, cursor === null ? { of: 'items', after: '' } : JSON.parse(cursor), (counts) =>
      enter(active, 'filled', { ...counts, error: counts.rejected > 0 ? rejections(counts.rejected) : null }),
    )
  }

  /** Compares again once there are twice as many queries. The flip needs no comparison. */
  const comparisonOf = async (steps: JobSteps, { namespace, reindex }: Active): Promise<Reindex['comparison']> => {
    const { queries, comparison } = reindex
    const count = queries?.length ?? 0
    if (count === 0 || count < 2 * (comparison?.queries ?? 0)) return comparison
    try {
      return (await compareSpaces(deps, steps)(namespace)) ?? comparison
    } catch (error) {
      log.warn({ err: error, namespace: namespace.id, reindex: reindex.id }, 'spaces not compared')
      return comparison
    }
  }

  const compareThenClose = async (steps: JobSteps, active: Active): Promise<Advanced> => {
    const { reindex } = active
    const { embedding, isAutomatic, rejected } = reindex
    const mayFlip = isAutomatic && rejected === 0
    // The check may send a request: not for a reindex that waits for an operator.
    const embedder = embedders.of(embedding)
    if (mayFlip && (!embedder || (await embedder.check()).state !== 'ready')) {
      const error = waitingFor(embedder, embedding)
      if (reindex.error !== error) await change(active, { error })
      return false
    }
    const comparison = await comparisonOf(steps, active)
    if (mayFlip) return enter(active, 'closing', { comparison, queries: null, passed: 0, rejected: 0 })
    if (comparison !== reindex.comparison) await change(active, { comparison })
    return false
  }

  const close = async (steps: JobSteps, active: Active): Promise<Advanced> => {
    const { namespace, reindex } = active
    const place = await afterWait(active)
    if (!place) return false
    return pass(steps, active, place, async (counts) => {
      if (reindex.isAutomatic && reindex.flippedAt === null && counts.rejected > 0)
        return enter(active, 'filled', { ...counts, error: rejections(counts.rejected) })
      await change(active, counts)
      const isFlipped = await namespaces.flipReindex(namespace.id, reindex, clock.now())
      if (isFlipped)
        log.info(
          { namespace: namespace.id, reindex: reindex.id, from: namespace.embedding, to: reindex.embedding },
          'namespace has changed its model',
        )
      return isFlipped
    })
  }

  const keep = async (_steps: JobSteps, active: Active): Promise<Advanced> => {
    const { flippedAt, keepMs } = active.reindex
    if (clock.now() < (flippedAt ?? 0) + keepMs) return false
    return enter(active, 'removing')
  }

  const removeAll = async (steps: JobSteps, active: Active): Promise<Advanced> => {
    const { namespace, reindex } = active
    if (!(await afterWait(active))) return false
    const space = spaceOfModel(reindex.embedding)
    const removed = await steps.step('remove', () => vectors.removeNamespace(space, namespace.id, pointsAtOnce))
    if (removed > 0) return true
    await namespaces.endReindex(namespace.id, reindex.id)
    return false
  }

  const advance = { filling: fillAll, filled: compareThenClose, closing: close, former: keep, removing: removeAll }

  /** One namespace must not hold up the others. */
  const reportFailure = async (active: Active, failure: unknown): Promise<void> => {
    const { namespace, reindex } = active
    log.warn({ err: failure, namespace: namespace.id, reindex: reindex.id }, 'reindex failed, will be retried')
    const isTransient = isAppError(failure, 'unavailable')
    const error = isAppError(failure) ? failure.message : 'Internal error; see the server log.'
    if (reindex.phase === 'closing' && !isTransient) await giveUpClosing(active, error, false)
    else if (reindex.error !== error) await change(active, { error })
  }

  return {
    hasWork: (() => {
      let idlePhasesAt = 0
      return async (): Promise<boolean> => {
        const isAll = clock.monotonic() >= idlePhasesAt
        if (isAll) idlePhasesAt = clock.monotonic() + idlePhasesEveryMs
        for (const phase of isAll ? phases : busyPhases)
          if ((await namespaces.reindexing({ phase, limit: 1 })).length > 0) return true
        return false
      }
    })(),
    range: async (_cursor: string | null, signal: AbortSignal): Promise<string | null> => {
      const steps: JobSteps = { step: (_name, call) => retryUnavailable(clock, () => call(signal), signal) }
      let isMore = false
      for (const phase of phases) {
        for (let after = ''; !signal.aborted; ) {
          const page = await namespaces.reindexing({ phase, after, limit: namespacesAtOnce })
          for (const namespace of page) {
            const { reindex, state } = namespace
            if (!reindex || state !== 'active' || signal.aborted) continue
            const active = { namespace, reindex }
            try {
              isMore = (await advance[phase](steps, active)) || isMore
            } catch (error) {
              signal.throwIfAborted()
              await reportFailure(active, error)
            }
          }
          const last = page.at(-1)
          if (page.length < namespacesAtOnce || !last) break
          after = last.id
        }
      }
      if (isMore) await clock.delay(pauseMs, signal)
      return isMore ? 'more' : null
    },
  }
}

import { isAppError } from '@cairn/contracts/errors'
import type { JobSteps } from '@cairn/domain/jobs/job-run'
import { spaceOfModel } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace, Reindex } from '@cairn/domain/namespaces/record'
import type { Logger } from '@cairn/runtime/process/logger'
import { compareSpaces } from './compare-spaces.ts'
import type { IndexDeps } from './deps.ts'
import { type Filled, SpaceFiller } from './fill-spaces.ts'
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
type Wait = { readonly of: 'wait'; readonly until: number }
type Place = { readonly of: 'items' | 'chunks'; readonly after: string }
type Change = Partial<Omit<Reindex, 'id' | 'embedding'>>
type Counts = Pick<Reindex, 'passed' | 'written' | 'rejected'>
/** The reindex can be advanced again immediately. */
type Advanced = boolean

const sourcesAtOnce = 100
const pointsAtOnce = 500

const rejections = (count: number): string =>
  `The model rejects ${count} ${count === 1 ? 'item' : 'items'}, which it would not find. Flip to it all the same, or cancel the reindex.`

/** Advances the reindex of a namespace by one repeatable step. */
export class ReindexStep {
  readonly #deps: ReindexDeps
  readonly #steps: JobSteps
  readonly #namespace: Namespace
  readonly #reindex: Reindex
  readonly #ids: { readonly namespace: string; readonly reindex: string }

  constructor(deps: ReindexDeps, steps: JobSteps, namespace: Namespace, reindex: Reindex) {
    this.#deps = deps
    this.#steps = steps
    this.#namespace = namespace
    this.#reindex = reindex
    this.#ids = { namespace: namespace.id, reindex: reindex.id }
  }

  run(): Promise<Advanced> {
    const advance = {
      filling: () => this.#fill(),
      filled: () => this.#compareThenClose(),
      closing: () => this.#close(),
      former: () => this.#keep(),
      removing: () => this.#remove(),
    }
    return advance[this.#reindex.phase]()
  }

  /** One namespace must not hold up the others. */
  async reportFailure(failure: unknown): Promise<void> {
    this.#deps.log.warn({ err: failure, ...this.#ids }, 'reindex failed, will be retried')
    const isTransient = isAppError(failure, 'unavailable')
    const error = isAppError(failure) ? failure.message : 'Internal error; see the server log.'
    if (this.#reindex.phase === 'closing' && !isTransient) await this.#giveUpClosing(error, false)
    else await this.#recordError(error)
  }

  async #change(to: Change): Promise<Advanced> {
    return (await this.#deps.store.namespaces.changeReindex(this.#namespace.id, this.#reindex, to)) !== undefined
  }

  async #enter(phase: Reindex['phase'], to: Change = {}): Promise<Advanced> {
    const { log, clock } = this.#deps
    log.info({ ...this.#ids, from: this.#reindex.phase, to: phase }, 'reindex continues')
    return this.#change({ error: null, ...to, phase, phaseAt: clock.now(), cursor: null })
  }

  async #recordError(error: string): Promise<void> {
    if (this.#reindex.error !== error) await this.#change({ error })
  }

  /** Writers that read this phase must fill both spaces, so it can't wait for long. */
  #giveUpClosing(error: string, isAutomatic = this.#reindex.isAutomatic): Promise<Advanced> {
    return this.#enter(this.#reindex.flippedAt === null ? 'filled' : 'former', { error, isAutomatic })
  }

  /** Resolves to what the model waits for; undefined when it is ready. The check may send a request. */
  async #modelFault(): Promise<string | undefined> {
    const { embedding } = this.#reindex
    const embedder = this.#deps.embedders.of(embedding)
    if (embedder && (await embedder.check()).state === 'ready') return undefined
    return waitingFor(embedder, embedding)
  }

  #fill(): Promise<Advanced> {
    const { cursor } = this.#reindex
    return this.#pass(cursor === null ? { of: 'items', after: '' } : JSON.parse(cursor), (counts) =>
      this.#enter('filled', { ...counts, error: counts.rejected > 0 ? rejections(counts.rejected) : null }),
    )
  }

  async #compareThenClose(): Promise<Advanced> {
    const { isAutomatic, rejected } = this.#reindex
    const mayFlip = isAutomatic && rejected === 0
    // Not for a reindex that waits for an operator.
    const fault = mayFlip ? await this.#modelFault() : undefined
    if (fault !== undefined) {
      await this.#recordError(fault)
      return false
    }
    const comparison = await this.#comparison()
    if (mayFlip) return this.#enter('closing', { comparison, queries: null, passed: 0, rejected: 0 })
    if (comparison !== this.#reindex.comparison) await this.#change({ comparison })
    return false
  }

  async #close(): Promise<Advanced> {
    const place = await this.#afterWait()
    return place ? this.#pass(place, (counts) => this.#flip(counts)) : false
  }

  async #keep(): Promise<Advanced> {
    const { flippedAt, keepMs } = this.#reindex
    return this.#deps.clock.now() < (flippedAt ?? 0) + keepMs ? false : this.#enter('removing')
  }

  async #remove(): Promise<Advanced> {
    const { vectors, store } = this.#deps
    if (!(await this.#afterWait())) return false
    const space = spaceOfModel(this.#reindex.embedding)
    const remove = () => vectors.removeNamespace(space, this.#namespace.id, pointsAtOnce)
    if ((await this.#steps.step('remove', remove)) > 0) return true
    await store.namespaces.endReindex(this.#namespace.id, this.#reindex.id)
    return false
  }

  /** Resolves to the position after the wait; undefined while it lasts. */
  async #afterWait(): Promise<Place | undefined> {
    const { store, settleMs = 30_000 } = this.#deps
    const now = await store.now()
    const { cursor } = this.#reindex
    const place: Wait | Place = cursor === null ? { of: 'wait', until: now + settleMs } : JSON.parse(cursor)
    if (place.of !== 'wait') return place
    if (cursor === null) await this.#change({ cursor: JSON.stringify(place) })
    return now < place.until ? undefined : { of: 'items', after: '' }
  }

  /** Embeds one page into the other embedding space. */
  async #pass(place: Place, atEnd: (counts: Counts) => Promise<Advanced>): Promise<Advanced> {
    const { phase, passed, written, rejected } = this.#reindex
    const fault = await this.#modelFault()
    if (fault !== undefined) {
      if (phase === 'closing') await this.#giveUpClosing(fault)
      else await this.#recordError(fault)
      return false
    }
    const { filled, met, next } = await this.#fillPage(place)
    const counts = {
      passed: passed + met,
      written: written + filled.written,
      rejected: rejected + filled.rejected,
    }
    return next ? this.#change({ ...counts, error: null, cursor: JSON.stringify(next) }) : atEnd(counts)
  }

  /** `next`: position after the page; undefined at the end. */
  async #fillPage({
    of,
    after,
  }: Place): Promise<{ readonly filled: Filled; readonly met: number; readonly next: Place | undefined }> {
    const { store, embedders } = this.#deps
    const { embedding } = this.#reindex
    const namespace = this.#namespace
    const filler = new SpaceFiller(this.#deps, this.#steps)
    const targets = [{ space: spaceOfModel(embedding), embedder: embedders.of(embedding) }]
    const limits = { after, limit: sourcesAtOnce }
    if (of === 'items') {
      const page = await this.#steps.step('read', () => store.items.page(namespace.id, limits))
      const filled = await filler.ofItems(namespace, page, targets)
      const last = page.length < sourcesAtOnce ? undefined : page.at(-1)?.id
      return { filled, met: page.length, next: last === undefined ? { of: 'chunks', after: '' } : { of, after: last } }
    }
    const page = await this.#steps.step('read', () => store.chunks.page(namespace.id, limits))
    const filled = await filler.ofChunks(namespace, page, targets)
    const last = page.length < sourcesAtOnce ? undefined : page.at(-1)?.itemId
    return { filled, met: page.length, next: last === undefined ? undefined : { of, after: last } }
  }

  /** Compares again once there are twice as many queries. The flip needs no comparison. */
  async #comparison(): Promise<Reindex['comparison']> {
    const { queries, comparison } = this.#reindex
    const count = queries?.length ?? 0
    if (count === 0 || count < 2 * (comparison?.queries ?? 0)) return comparison
    try {
      return (await compareSpaces(this.#deps, this.#steps)(this.#namespace)) ?? comparison
    } catch (error) {
      this.#deps.log.warn({ err: error, ...this.#ids }, 'spaces not compared')
      return comparison
    }
  }

  async #flip(counts: Counts): Promise<Advanced> {
    const { store, clock, log } = this.#deps
    const { isAutomatic, flippedAt, embedding } = this.#reindex
    if (isAutomatic && flippedAt === null && counts.rejected > 0)
      return this.#enter('filled', { ...counts, error: rejections(counts.rejected) })
    await this.#change(counts)
    const isFlipped = await store.namespaces.flipReindex(this.#namespace.id, this.#reindex, clock.now())
    if (isFlipped)
      log.info({ ...this.#ids, from: this.#namespace.embedding, to: embedding }, 'namespace has changed its model')
    return isFlipped
  }
}

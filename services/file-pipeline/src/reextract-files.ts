import { isDeepStrictEqual } from 'node:util'
import { extractionVersion, isOutdated } from '@cairn/domain/files/extraction-version'
import { type FileRecord, fileVersionPrefix } from '@cairn/domain/files/record'
import type { Namespace, Reextraction } from '@cairn/domain/namespaces/record'
import type { PipelineDeps } from './deps.ts'
import type { ReconcileDeps } from './reconcile-uploads.ts'

export type ReextractDeps = Pick<PipelineDeps, 'store' | 'files' | 'clock' | 'ids' | 'log'> &
  Pick<ReconcileDeps, 'announce'>

const namespacesAtOnce = 100
const filesAtOnce = 100
/** Files per namespace at once, so that new uploads are processed in between. */
const maxUnderWay = 4
const pauseMs = 250

type Outcome = 'extracted' | 'failed' | 'withoutBytes' | 'underWay' | 'nothing'

/**
 * Extracts the outdated files of namespaces again. Each step may be repeated, also from an earlier cursor, because a
 * file's outcome is read from its record.
 */
export class ReextractTask {
  readonly #deps: ReextractDeps

  constructor(deps: ReextractDeps) {
    this.#deps = deps
  }

  async hasWork(): Promise<boolean> {
    return (await this.#deps.store.namespaces.reextracting({ limit: 1 })).length > 0
  }

  /** For `runTask`: resolves to a cursor as long as there is more to do. */
  async range(signal: AbortSignal): Promise<string | null> {
    let isMore = false
    for await (const namespace of this.#namespaces(signal)) isMore = (await this.#advance(namespace, signal)) || isMore
    if (isMore) await this.#deps.clock.delay(pauseMs, signal)
    return isMore ? 'more' : null
  }

  async *#namespaces(signal: AbortSignal): AsyncGenerator<Namespace> {
    for (let after = ''; !signal.aborted; ) {
      const page = await this.#deps.store.namespaces.reextracting({ after, limit: namespacesAtOnce })
      for (const namespace of page) if (!signal.aborted) yield namespace
      const last = page.at(-1)?.reextractionId
      if (page.length < namespacesAtOnce || !last) return
      after = last
    }
  }

  /** Returns whether there is more to do. An error in one namespace must not block the others. */
  async #advance(namespace: Namespace, signal: AbortSignal): Promise<boolean> {
    const { reextraction, state, id } = namespace
    if (!reextraction || state !== 'active') return false
    try {
      const next = await this.#next(id, reextraction, signal)
      if (isDeepStrictEqual(next, reextraction)) return false
      const isChanged = await this.#deps.store.namespaces.changeReextraction(id, next)
      if (isChanged && next.endedAt !== null) this.#logEnd(id, next)
      return isChanged && next.endedAt === null
    } catch (error) {
      this.#deps.log.warn({ err: error, namespace: id }, 're-extraction failed, will be retried')
      return false
    }
  }

  #logEnd(namespace: string, { id, extracted, failed, withoutBytes }: Reextraction): void {
    const outcome = { extracted, failed, withoutBytes, extractionVersion }
    this.#deps.log.info({ namespace, reextraction: id, ...outcome }, 'files extracted again')
  }

  /** Starts files until enough are under way, and counts those that are done. */
  async #next(namespaceId: string, reextraction: Reextraction, signal: AbortSignal): Promise<Reextraction> {
    const { store, clock } = this.#deps
    const counts = { extracted: 0, failed: 0, withoutBytes: 0 }
    const underWay: string[] = []
    let { cursor } = reextraction
    const count = async (file: FileRecord) => {
      const outcome = await this.#meet(file, reextraction)
      if (outcome === 'underWay') underWay.push(file.id)
      else if (outcome !== 'nothing') counts[outcome] += 1
    }
    for (const file of await store.files.many(reextraction.underWay)) await count(file)
    let isAtEnd = false
    if (underWay.length < maxUnderWay) {
      const page = await store.files.page(namespaceId, { after: cursor, limit: filesAtOnce })
      for (const file of page) {
        if (underWay.length >= maxUnderWay || signal.aborted) break
        await count(file)
        cursor = file.name
      }
      isAtEnd = page.length < filesAtOnce && cursor === (page.at(-1)?.name ?? cursor)
    }
    return {
      ...reextraction,
      cursor,
      underWay,
      extracted: reextraction.extracted + counts.extracted,
      failed: reextraction.failed + counts.failed,
      withoutBytes: reextraction.withoutBytes + counts.withoutBytes,
      endedAt: isAtEnd && underWay.length === 0 ? clock.now() : null,
    }
  }

  /** Starts processing the file if it is outdated and idle. */
  async #meet(file: FileRecord, { id }: Reextraction): Promise<Outcome> {
    const { store, clock, ids, announce } = this.#deps
    if (file.state !== 'completed' && file.state !== 'failed') return 'underWay'
    const isOwn = file.correlationId === id
    if (!isOutdated(file)) return isOwn ? 'extracted' : 'nothing'
    // Even if a process of an earlier version has read it: otherwise re-extraction during an upgrade would never end.
    if (isOwn) return 'failed'
    if (!(await this.#hasBytes(file))) return 'withoutBytes'
    const cause = { correlationId: id, traceparent: null }
    const version = ids.next(fileVersionPrefix)
    const change = { from: file.version, version, options: file.options, at: clock.now(), ...cause }
    if (await store.files.reprocess(file.id, change))
      await announce({ namespaceId: file.namespaceId, fileId: file.id }, cause)
    // If the file was changed meanwhile, another process handles or deletes it.
    return 'underWay'
  }

  async #hasBytes({ key, live, object, bytesRemovedAt }: FileRecord): Promise<boolean> {
    return live?.etag === object.etag && !bytesRemovedAt && (await this.#deps.files.head(key))?.etag === object.etag
  }
}

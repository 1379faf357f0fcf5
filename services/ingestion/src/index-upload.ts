import { slices } from '@cairn/contracts/flow/slices'
import { indexItems, settleUpload } from '@cairn/domain/items/index-items'
import type { Item, Upload } from '@cairn/domain/items/record'
import { classify } from '@cairn/domain/jobs/job-error'
import { type JobRun, namespaceIsBeingDeleted, type PartialResult, type WorkResult } from '@cairn/domain/jobs/job-run'
import { spacesOf } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { IndexDeps } from './deps.ts'
import { dropOfSpaces, embedForSpaces } from './embed-for-spaces.ts'
import { SpaceFiller } from './fill-spaces.ts'
import { keptVectors } from './kept-vectors.ts'
import { waitingFor } from './waiting-for.ts'

/** Documents per step. Each step is durable: the next worker continues after the last one. */
const documentsAtOnce = 25
/** Attempts for a document that fails because of a bug, including the one together with others. */
const triesPerDocument = 3

/** Tells whether the other documents would fail, too. */
const endsRun = (run: JobRun<Upload>, error: unknown): boolean =>
  run.signal.aborted || ['transient', 'lost'].includes(classify(error).kind)

/** `fault`: the internal error, if the document is not the cause. */
type DocumentFailure = { readonly reason: string; readonly fault?: unknown }

/** Indexes one document alone, so that it does not fail others. Resolves to its failure, if any. */
const failureOf = async (run: JobRun<Upload>, work: () => Promise<void>): Promise<DocumentFailure | undefined> => {
  for (let attempt = 2; ; attempt += 1) {
    try {
      await work()
      return undefined
    } catch (error) {
      if (endsRun(run, error)) throw error
      const failure = classify(error)
      if (failure.kind === 'permanent') return { reason: failure.code }
      run.log.warn({ err: error, attempt }, 'document failed')
      if (attempt === triesPerDocument) return { reason: 'internal', fault: error }
    }
  }
}

/**
 * Indexes the documents still `processing` under the upload's version. Embedding may cost money: no text is embedded
 * whose vector the namespace has, and none while the index is unavailable. Vectors are cached until they are written,
 * however often the job is retried.
 */
export const indexUpload = (deps: IndexDeps, kept = keptVectors()) => {
  const { store } = deps
  return async (run: JobRun<Upload>): Promise<PartialResult> => {
    const { namespaceId, id: version, kind, ids } = run.job
    const readAt = deps.clock.monotonic()
    const namespace = await run.step('read', () => store.namespaces.get(namespaceId))
    if (namespace?.state !== 'active') return namespaceIsBeingDeleted
    const embedder = namespace.embedding ? deps.embedders.of(namespace.embedding) : undefined
    if (kind === 'text' && embedder?.status().state !== 'ready')
      return { againMs: 5_000, because: waitingFor(embedder, namespace.embedding) }
    const index = indexItems(deps)
    const counts = { reused: 0, embedded: 0 }
    let fault: unknown
    const embed = embedForSpaces(deps, kept)
    const indexAll = async (items: readonly Item[]) => {
      const embedded = await embed(run, { namespace, readAt }, items, counts)
      await index(run, embedded.first, namespace.language, embedded.second)
      dropOfSpaces(kept, deps.embedders, embedded)
    }
    for (const slice of slices(ids, documentsAtOnce)) {
      const items = (await run.step('read', () => store.items.get(namespaceId, slice))).filter(
        (item) => item.version === version && item.status === 'processing',
      )
      if (items.length === 0) continue
      try {
        await indexAll(items)
      } catch (error) {
        if (endsRun(run, error)) throw error
        run.log.warn({ err: error }, 'batch failed, retrying its documents one by one')
        for (const item of items) {
          const failure = await failureOf(run, () => indexAll([item]))
          if (!failure) continue
          const { reason } = failure
          fault ??= failure.fault
          await run.step('mark', () => store.items.markFailed(namespaceId, version, [{ id: item.id, reason }]))
        }
      }
    }
    const after = await run.step('read', () => store.namespaces.get(namespaceId))
    if (after?.reindex) await fillUpload(deps, run, after)
    const settled = await settleUpload(deps)(run, spacesOf(after ?? namespace), embedder && counts)
    return settled ?? (fault === undefined ? undefined : { fault })
  }
}

/** A late worker may have marked items of the job after the reindex had passed them. */
const fillUpload = async (deps: IndexDeps, run: JobRun<Upload>, namespace: Namespace): Promise<void> => {
  const { namespaceId, id: version, ids } = run.job
  const filler = new SpaceFiller(deps, run)
  for (const slice of slices(ids, documentsAtOnce)) {
    const items = await run.step('read', () => deps.store.items.get(namespaceId, slice))
    await filler.ofItems(
      namespace,
      items.filter(({ indexed }) => indexed?.version === version),
    )
  }
}

/** Items still `processing` fail with the reason; the others keep their outcome. */
export const failUpload =
  (deps: IndexDeps) =>
  async (run: JobRun<Upload>, reason: 'crashed_worker' | 'internal'): Promise<WorkResult> => {
    const { namespaceId, id: version, ids } = run.job
    const namespace = await run.step('read', () => deps.store.namespaces.get(namespaceId))
    if (!namespace) return namespaceIsBeingDeleted
    for (const slice of slices(ids, 100)) {
      await run.step('mark', () =>
        deps.store.items.markFailed(
          namespaceId,
          version,
          slice.map((id) => ({ id, reason })),
        ),
      )
    }
    return settleUpload(deps)(run, spacesOf(namespace))
  }

import { isDeepStrictEqual } from 'node:util'
import { AppError } from '@cairn/contracts/errors'
import { pagesOf } from '@cairn/contracts/flow/pages-of'
import type { JobSteps } from '@cairn/domain/jobs/job-run'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Page } from '@cairn/domain/protocol/page'
import type { Logger } from '@cairn/runtime/process/logger'
import { retryUnavailable } from '@cairn/runtime/process/retry'
import type { IndexDeps } from './deps.ts'
import { PointRewriter, type Rewritten } from './rewrite-points.ts'

export type RebuildDeps = IndexDeps & { readonly log: Pick<Logger, 'info' | 'warn'> }

/** `skipped`: being deleted, or with a model that this process lacks. */
export type Rebuilt = {
  readonly namespaces: number
  readonly items: number
  readonly points: number
  readonly skipped: readonly string[]
}

const itemsAtOnce = 25
const namespacesAtOnce = 100

export type RebuildOptions = {
  /** Ids; empty: all namespaces. */
  readonly only?: readonly string[]
  /** Embeds text namespaces of another model with the current one. No service may run at the same time. */
  readonly reembed?: boolean
}

const pointsAtOnce = 1_000

/**
 * Writes the points of all indexed content from the record store alone. May run while the services run, and be
 * repeated: points keep their addresses, those of a version that died in the meantime are removed again, and those of
 * other versions are left alone.
 */
export const rebuildIndex =
  ({ store, vectors, embedders, textWorker, clock, log }: RebuildDeps) =>
  async ({ only = [], reembed = false }: RebuildOptions = {}): Promise<Rebuilt> => {
    const steps: JobSteps = { step: (_name, call) => retryUnavailable(clock, () => call(new AbortController().signal)) }
    const skipped: string[] = []
    const met = new Set<string>()
    let [namespaces, items, points] = [0, 0, 0]
    const rewriter = new PointRewriter({ store, vectors, embedders, textWorker }, steps)
    const add = (rewritten: Rewritten) => {
      items += rewritten.items
      points += rewritten.points
    }

    const removePoints = async (namespace: Namespace) => {
      const remove = () => vectors.removeNamespace(embeddingSpaceOf(namespace), namespace.id, pointsAtOnce)
      while ((await steps.step('remove', remove)) > 0);
    }

    /**
     * The former points are removed before the record changes: afterwards no record refers to them. If the run is
     * killed, the next run or the audit writes the missing points.
     */
    const moveToCurrent = async (namespace: Namespace): Promise<Namespace> => {
      const { model } = embedders.current()
      const { embedding } = namespace
      if (!embedding || namespace.state !== 'active' || isDeepStrictEqual(embedding, model)) return namespace
      if (namespace.reindex) {
        log.warn({ namespace: namespace.id }, 'namespace has a reindex and keeps its model')
        return namespace
      }
      await steps.step('mark', () => store.indexAudit.markLost(namespace.id, clock.now()))
      await removePoints(namespace)
      if (!(await steps.step('set embedding', () => store.namespaces.setEmbedding(namespace.id, embedding, model))))
        return namespace
      log.info({ namespace: namespace.id, from: embedding, to: model }, 'namespace moved to the current model')
      return { ...namespace, embedding: model, lostPointsAt: clock.now() }
    }

    const rebuildAll = async (found: Namespace) => {
      const namespace = reembed ? await moveToCurrent(found) : found
      const embedder = namespace.embedding ? embedders.of(namespace.embedding) : undefined
      await embedder?.settled()
      if (namespace.state !== 'active' || (namespace.embedding && embedder?.status().state !== 'ready')) {
        skipped.push(namespace.id)
        log.warn({ namespace: namespace.id, state: namespace.state }, 'namespace skipped')
        return
      }
      await steps.step('ensure', () => vectors.ensure(embeddingSpaceOf(namespace)))
      const readItems = (page: Page) => steps.step('read', () => store.items.page(namespace.id, page))
      for await (const page of pagesOf(itemsAtOnce, readItems, ({ id }) => id))
        add(await rewriter.ofItems(namespace, page))
      const readChunks = (page: Page) => steps.step('read', () => store.chunks.page(namespace.id, page))
      for await (const page of pagesOf(itemsAtOnce, readChunks, ({ itemId }) => itemId))
        add(await rewriter.ofChunks(namespace, page))
      // A reindex has a second space, whose points an earlier version may have written.
      if (!namespace.reindex) await steps.step('mark', () => store.namespaces.setPointsRenewed(namespace.id))
      if (namespace.lostPointsAt) await steps.step('mark', () => store.indexAudit.markLost(namespace.id, null))
      namespaces += 1
      log.info({ namespace: namespace.id, items, points }, 'namespace rebuilt')
    }

    const readNamespaces = (page: Page) => steps.step('read', () => store.namespaces.page(page))
    for await (const page of pagesOf(namespacesAtOnce, readNamespaces, ({ id }) => id))
      for (const namespace of page) {
        if (only.length > 0 && !only.includes(namespace.id)) continue
        met.add(namespace.id)
        await rebuildAll(namespace)
      }
    const missing = only.filter((id) => !met.has(id))
    if (missing.length > 0)
      throw new AppError(
        'notFound',
        `There is no namespace of the id ${missing.join(', ')}; pass namespace ids, not names.`,
      )
    return { namespaces, items, points, skipped }
  }

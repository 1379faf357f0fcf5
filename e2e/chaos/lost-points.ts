import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { PointAddress, VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import { seededRandom } from '@cairn/testing/seeded-random'
import { itemsOf, namespacesOf } from './quiet.ts'

const pageSize = 1_000
const withinMs = 10_000

export type Loss = {
  readonly url: string
  readonly apiKey?: string
  /** Prefix of the collection names. */
  readonly prefix: string
  /** Share of all points, 0 to 1. */
  readonly share: number
  readonly seed: number
}

type Page = { readonly points: { readonly id: string }[]; readonly next_page_offset?: string | null }

/**
 * Removes points from Qdrant without the services' knowledge, as if an unsynced log were lost. Resolves to their
 * number.
 */
export const losePoints = async ({ url, apiKey, prefix, share, seed }: Loss): Promise<number> => {
  const random = seededRandom(seed)
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { 'api-key': apiKey }) }
    const signal = AbortSignal.timeout(withinMs)
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      signal,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return ((await response.json()) as { readonly result: T }).result
  }
  const { collections } = await ask<{ collections: { name: string }[] }>('GET', '/collections')
  let removed = 0
  for (const { name } of collections.filter((one) => one.name.startsWith(prefix))) {
    for (let offset: string | null | undefined; ; ) {
      const scroll = { limit: pageSize, with_payload: false, ...(offset ? { offset } : {}) }
      const page = await ask<Page>('POST', `/collections/${name}/points/scroll`, scroll)
      const points = page.points.filter(() => random.chance(share)).map(({ id }) => id)
      if (points.length > 0) await ask('POST', `/collections/${name}/points/delete?wait=true`, { points })
      removed += points.length
      offset = page.next_page_offset
      if (!offset) break
    }
  }
  return removed
}

/** Lists every point that should exist but does not. */
export const missingPoints = async ({
  store,
  vectors,
}: {
  readonly store: Store
  readonly vectors: VectorIndex
}): Promise<string[]> => {
  const missing: PointAddress[] = []
  for (const namespace of (await namespacesOf(store)).filter(({ state }) => state === 'active')) {
    const { id: namespaceId } = namespace
    const addresses = (await itemsOf(store, namespaceId)).flatMap(({ id: itemId, indexed }) =>
      Array.from({ length: indexed?.passages ?? 0 }, (_, passage) => ({
        namespaceId,
        itemId,
        version: indexed?.version ?? '',
        passage,
      })),
    )
    missing.push(...(await vectors.missing(embeddingSpaceOf(namespace), addresses)))
  }
  return missing.map(
    ({ namespaceId, itemId, version, passage }) =>
      `a point of ${namespaceId}/${itemId} is missing: ${version} ${passage}`,
  )
}

import type { EmbeddingSpace, PointAddress, VectorIndex } from '@cairn/domain/ports/vector-index'

const pageSize = 500

type Pages<T> = (page: { readonly after: string; readonly limit: number }) => Promise<T[]>

/** Reads every row of a listing that is ordered by `keyOf`. */
const readBy = async <T>(page: Pages<T>, keyOf: (row: T) => string): Promise<T[]> => {
  const rows: T[] = []
  for (let after = ''; ; ) {
    const some = await page({ after, limit: pageSize })
    rows.push(...some)
    const last = some.at(-1)
    if (some.length < pageSize || !last) return rows
    after = keyOf(last)
  }
}

export const allById = <T extends { readonly id: string }>(page: Pages<T>): Promise<T[]> => readBy(page, ({ id }) => id)
export const allByName = <T extends { readonly name: string }>(page: Pages<T>): Promise<T[]> =>
  readBy(page, ({ name }) => name)
export const allByKey = <T extends { readonly key: string }>(page: Pages<T>): Promise<T[]> =>
  readBy(page, ({ key }) => key)
export const allByItem = <T extends { readonly itemId: string }>(page: Pages<T>): Promise<T[]> =>
  readBy(page, ({ itemId }) => itemId)

export const allPoints = async (
  vectors: VectorIndex,
  space: EmbeddingSpace,
  namespaceId: string,
): Promise<PointAddress[]> => {
  const points: PointAddress[] = []
  for (let after: PointAddress | undefined; ; ) {
    const page = await vectors.list(space, {
      namespaceIds: [namespaceId],
      limit: pageSize,
      ...(after ? { after } : {}),
    })
    points.push(...page)
    after = page.at(-1)
    if (page.length < pageSize) return points
  }
}

import type { ReadProtocol } from './steps.ts'

/** `after`: the ordering fields of the previous page's last record. */
export type PageAfter<T> = { readonly limit: number; readonly after?: T | undefined }

type UnderWay = { readonly count: number | { readonly gt: number }; readonly id?: { readonly gt: string } }

/** Reads records with operations in progress, ordered by their number and by id. */
export function* underWay<T>(
  limit: number,
  after: { readonly count: number; readonly id: string } | undefined,
  of: (where: UnderWay, limit: number) => ReadProtocol<T[]>,
): ReadProtocol<T[]> {
  if (!after) return yield* of({ count: { gt: 0 } }, limit)
  const { count, id } = after
  const same = yield* of({ count, id: { gt: id } }, limit)
  if (same.length === limit) return same
  return [...same, ...(yield* of({ count: { gt: count } }, limit - same.length))]
}

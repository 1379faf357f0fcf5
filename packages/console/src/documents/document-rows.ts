import type { DocumentPage } from '../api.ts'
import { number, plural } from '../format.ts'

export const withoutRows = <T extends { pages: DocumentPage[] }>(list: T, ids: readonly string[]): T => ({
  ...list,
  pages: list.pages.map((page) => ({ ...page, rows: page.rows.filter((row) => !ids.includes(row.id)) })),
})

type List = {
  readonly loaded: number
  readonly hasNextPage: boolean
  readonly isFiltered: boolean
  /** Current number of items in the namespace. */
  readonly count: number
}

/** Returns whether the list differs from the namespace; false where a filter or pages not loaded hide that. */
export const isOutdated = ({ loaded, hasNextPage, isFiltered, count }: List): boolean =>
  !isFiltered && !hasNextPage && count !== loaded

/** Returns for example `100 of 1,200 loaded`. */
export const describeList = (list: List): string => {
  const { loaded, hasNextPage, isFiltered, count } = list
  if (isFiltered) return `${number(loaded)}${hasNextPage ? ' or more' : ''} match the filter`
  if (hasNextPage) return `${number(loaded)} of ${number(Math.max(count, loaded))} loaded`
  if (loaded === 0 && count === 0) return 'No items'
  return `${plural(loaded, 'item')} loaded${isOutdated(list) ? `; ${number(count)} now` : ''}`
}

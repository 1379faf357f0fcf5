/** Items from `from` up to `end`, exclusive; `page` from 0. */
export type PageRange = { readonly page: number; readonly pages: number; readonly from: number; readonly end: number }

/** Returns the last page if the list has become shorter. */
export const pageRange = (count: number, size: number, requested: number): PageRange => {
  const pages = Math.max(1, Math.ceil(count / size))
  const page = Math.min(requested, pages - 1)
  return { page, pages, from: page * size, end: Math.min(count, (page + 1) * size) }
}

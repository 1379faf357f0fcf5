/** The shown page of a list, and its items: from `from` up to `end`. */
export type PageRange = { readonly page: number; readonly pages: number; readonly from: number; readonly end: number }

/** Returns the range of the requested page, or of the last page if the list has become shorter. */
export const pageRange = (count: number, size: number, requested: number): PageRange => {
  const pages = Math.max(1, Math.ceil(count / size))
  const page = Math.min(requested, pages - 1)
  return { page, pages, from: page * size, end: Math.min(count, (page + 1) * size) }
}

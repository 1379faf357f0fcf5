import type { Handle, PdfDocument } from './pdfium.ts'

/** Levels start at 1. */
export type Entry = { readonly title: string; readonly level: number }

export type Outline = {
  readonly on: (page: number) => readonly Entry[]
  /** Returns the first entry that begins on the page, else the last one before it. */
  readonly titleOf: (page: number) => string | undefined
}

/** A longer outline is an attack or a useless index. */
const maxEntries = 5_000
const maxDepth = 100
const maxTitle = 500

const readEntries = ({ pdfium, handle, pages, utf16 }: PdfDocument): ReadonlyMap<number, readonly Entry[]> => {
  const on = new Map<number, Entry[]>()
  let entries = 0
  /** In a damaged file, an entry may be its own child or sibling. */
  const seen = new Set<Handle>()
  /** Counts from 1; undefined if the entry does not refer to a page of this file. */
  const pageOf = (bookmark: Handle): number | undefined => {
    const own = pdfium._FPDFBookmark_GetDest(handle, bookmark)
    const action = own === 0 ? pdfium._FPDFBookmark_GetAction(bookmark) : 0
    const destination = own === 0 && action !== 0 ? pdfium._FPDFAction_GetDest(handle, action) : own
    const index = destination === 0 ? -1 : pdfium._FPDFDest_GetDestPageIndex(handle, destination)
    return index >= 0 && index < pages ? index + 1 : undefined
  }

  const add = (parent: Handle, level: number) => {
    let bookmark = pdfium._FPDFBookmark_GetFirstChild(handle, parent)
    for (
      ;
      bookmark !== 0 && entries < maxEntries && !seen.has(bookmark);
      bookmark = pdfium._FPDFBookmark_GetNextSibling(handle, bookmark)
    ) {
      entries += 1
      seen.add(bookmark)
      const title = utf16((buffer, bytes) => pdfium._FPDFBookmark_GetTitle(bookmark, buffer, bytes))
        .replace(/[\p{Cc}\s]+/gu, ' ')
        .trim()
        .slice(0, maxTitle)
        .toWellFormed()
      const page = title === '' ? undefined : pageOf(bookmark)
      if (page !== undefined) on.set(page, [...(on.get(page) ?? []), { title, level: Math.min(level, 6) }])
      if (level < maxDepth) add(bookmark, level + 1)
    }
  }
  add(0, 1)
  return on
}

/** The result does not refer to the document, so that the document's memory can be freed. */
export const readOutline = (document: PdfDocument): Outline => outlineOf(readEntries(document))

const outlineOf = (on: ReadonlyMap<number, readonly Entry[]>): Outline => {
  const begins = [...on.keys()].sort((a, b) => a - b)
  return {
    on: (page) => on.get(page) ?? [],
    titleOf: (page) => {
      const first = on.get(page)?.[0]
      if (first) return first.title
      const before = begins.findLast((one) => one < page)
      return before === undefined ? undefined : on.get(before)?.at(-1)?.title
    },
  }
}

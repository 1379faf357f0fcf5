import type { PDFDocumentProxy } from 'unpdf/pdfjs'

/** An entry of the outline, level from 1. */
type Entry = { readonly title: string; readonly level: number }

export type Outline = {
  /** Of the entries that begin on a page, in their order. */
  readonly on: (page: number) => readonly Entry[]
  /** The title of the entry a page is in: the first that begins there, else the last one before it. */
  readonly titleOf: (page: number) => string | undefined
}

type Item = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number]

/** More are an attack, or an index that helps nobody. */
const maxEntries = 5_000
const maxTitle = 500

const isReference = (value: unknown): value is { num: number; gen: number } => typeof value === 'object' && value !== null && 'num' in value

/** From 1; undefined when the entry leads nowhere in this file. */
const pageOf = async (document: PDFDocumentProxy, item: Item): Promise<number | undefined> => {
  try {
    const destination = typeof item.dest === 'string' ? await document.getDestination(item.dest) : item.dest
    const target: unknown = destination?.[0]
    if (isReference(target)) return (await document.getPageIndex(target)) + 1
    return typeof target === 'number' && Number.isInteger(target) && target >= 0 ? target + 1 : undefined
  } catch {
    return undefined
  }
}

/** A file without an outline, or with one that can't be read, has an empty one: its text is worth as much. */
export const readOutline = async (document: PDFDocumentProxy): Promise<Outline> => {
  const on = new Map<number, Entry[]>()
  let entries = 0
  const add = async (items: readonly Item[], level: number): Promise<void> => {
    for (const item of items) {
      if (entries++ >= maxEntries) return
      const title = item.title
        .replace(/[\p{Cc}\s]+/gu, ' ')
        .trim()
        .slice(0, maxTitle)
        .toWellFormed()
      const page = title === '' ? undefined : await pageOf(document, item)
      if (page !== undefined && page <= document.numPages) on.set(page, [...(on.get(page) ?? []), { title, level: Math.min(level, 6) }])
      if (Array.isArray(item.items) && item.items.length > 0) await add(item.items, level + 1)
    }
  }
  // pdf.js says null where there is none.
  const items: readonly Item[] | null = await document.getOutline().catch(() => null)
  await add(items ?? [], 1)
  const pages = [...on.keys()].sort((a, b) => a - b)
  return {
    on: (page) => on.get(page) ?? [],
    titleOf: (page) => {
      const first = on.get(page)?.[0]
      if (first) return first.title
      const before = pages.findLast((one) => one < page)
      return before === undefined ? undefined : on.get(before)?.at(-1)?.title
    },
  }
}

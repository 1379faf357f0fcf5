import { setTimeout as delay } from 'node:timers/promises'
import type { PDFDocumentProxy } from 'unpdf/pdfjs'

/** An entry of the outline; levels start at 1. */
type Entry = { readonly title: string; readonly level: number }

export type Outline = {
  /** Returns the entries that begin on a page, in order. */
  readonly on: (page: number) => readonly Entry[]
  /**
   * Returns the title of the entry that contains a page: the first one that begins there, else the last one before it.
   */
  readonly titleOf: (page: number) => string | undefined
}

type Item = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number]

/** A longer outline is an attack or a useless index. */
const maxEntries = 5_000
const maxTitle = 500
/** Longest wait for pdf.js, which never resolves for an outline about 1,500 levels deep: cloning it overflows the stack. */
const longestWaitMs = 5_000

const isReference = (value: unknown): value is { num: number; gen: number } =>
  typeof value === 'object' && value !== null && 'num' in value

/** Returns the page number, from 1; undefined if the entry refers to no page of this file. */
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

/** Reads the outline. A missing or unreadable outline counts as empty, because the text is still useful. */
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
      if (page !== undefined && page <= document.numPages)
        on.set(page, [...(on.get(page) ?? []), { title, level: Math.min(level, 6) }])
      if (Array.isArray(item.items) && item.items.length > 0) await add(item.items, level + 1)
    }
  }
  // pdf.js returns null if the file has no outline.
  const items: readonly Item[] | null = await Promise.race([
    document.getOutline().catch(() => null),
    delay(longestWaitMs, null, { ref: false }),
  ])
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

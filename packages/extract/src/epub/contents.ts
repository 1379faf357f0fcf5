import { attributeOf, type HtmlElement } from '../html/tree.ts'
import { visit } from '../html/walk.ts'
import { oneLine } from '../shared/clean-text.ts'
import { readSmallXml } from '../shared/office-part.ts'
import type { CheckedZip } from '../shared/zip-check.ts'
import { isUnreadable } from '../unreadable.ts'
import { parseChapter } from './chapter-text.ts'
import { type BookItem, fragmentOf, partPath } from './package.ts'

const maxTitle = 500
const maxLevel = 6

/** Title of a chapter file, or of its part from the element `id` on. */
export type Title = { readonly text: string; readonly level: number; readonly id: string }
export type Titles = ReadonlyMap<string, readonly Title[]>

const titleMap = (from: string) => {
  const titles = new Map<string, Title[]>()
  return {
    titles,
    add(reference: string, words: string, depth: number): void {
      const path = partPath(reference, from)
      const text = oneLine(words).slice(0, maxTitle)
      if (path === undefined || text === '') return
      const known = titles.get(path) ?? []
      titles.set(path, known)
      known.push({ text, level: Math.max(1, Math.min(maxLevel, depth)), id: fragmentOf(reference) })
    },
  }
}

/** Reads the form of EPUB 2. */
const readNcx = async (zip: CheckedZip, path: string): Promise<Titles> => {
  const { titles, add } = titleMap(path)
  const labels: string[] = []
  let isLabel = false
  await readSmallXml(zip, path, {
    allowsDoctype: true,
    open(name, attribute) {
      if (name === 'navPoint') labels.push('')
      if (name === 'navLabel') isLabel = true
      if (name === 'content') add(attribute('src') ?? '', labels.at(-1) ?? '', labels.length)
    },
    text(text) {
      const label = labels.at(-1)
      if (isLabel && label !== undefined && label.length < maxTitle) labels[labels.length - 1] = label + text
    },
    close(name) {
      if (name === 'navPoint') labels.pop()
      if (name === 'navLabel') isLabel = false
    },
  })
  return titles
}

const isContents = (element: HtmlElement): boolean =>
  element.name === 'nav' && (attributeOf(element, 'epub:type') ?? 'toc').split(/\s+/).includes('toc')

/** Reads the form of EPUB 3: an HTML page with nested lists of links. */
const readNavigation = async (zip: CheckedZip, path: string): Promise<Titles> => {
  const { titles, add } = titleMap(path)
  const pieces = parseChapter(zip, path)
  let read = await pieces.next()
  while (!read.done) read = await pieces.next()
  let inContents = 0
  let depth = 0
  let link: { readonly reference: string; words: string } | undefined
  visit(read.value, {
    open(element) {
      if (isContents(element)) inContents++
      if (element.name === 'ol') depth++
      if (element.name === 'a' && inContents > 0) link = { reference: attributeOf(element, 'href') ?? '', words: '' }
      return true
    },
    close(element) {
      if (isContents(element)) inContents--
      if (element.name === 'ol') depth--
      if (element.name !== 'a' || !link) return
      add(link.reference, link.words, depth)
      link = undefined
    },
    text(text) {
      if (link && link.words.length < maxTitle) link.words += text
    },
  })
  return titles
}

/** Returns no titles if the table of contents is damaged. */
export const readContents = async (zip: CheckedZip, contents: readonly BookItem[]): Promise<Titles> => {
  for (const { path, type } of contents) {
    if (!zip.entries.has(path)) continue
    try {
      const titles = await (type === 'application/x-dtbncx+xml' ? readNcx : readNavigation)(zip, path)
      if (titles.size > 0) return titles
    } catch (error) {
      if (!isUnreadable(error) || error.code !== 'damaged') throw error
    }
  }
  return new Map()
}

import type { FileProperties } from '../block.ts'
import { oneLine } from '../shared/clean-text.ts'
import { attributeOf, childrenOf, type HtmlElement, isElement } from './tree.ts'

const maxUnits = 1_000

/** The first `meta` name that a page has wins. */
const metaNames: readonly (readonly [property: string, names: readonly string[]])[] = [
  ['title', ['og:title', 'dc.title', 'dcterms.title']],
  ['author', ['author', 'dc.creator', 'dcterms.creator', 'article:author']],
  ['description', ['description', 'og:description', 'dc.description']],
  ['keywords', ['keywords']],
  ['created', ['date', 'article:published_time', 'dc.date', 'dcterms.date', 'dcterms.created']],
  ['modified', ['article:modified_time', 'last-modified', 'dcterms.modified']],
]

const child = (parent: HtmlElement | undefined, name: string): HtmlElement | undefined =>
  parent && childrenOf(parent).find((node): node is HtmlElement => isElement(node) && node.name === name)

export const htmlProperties = (root: HtmlElement): FileProperties => {
  const page = child(root, 'html')
  const head = child(page, 'head')
  const values = new Map<string, string>()
  const set = (name: string, text: string | undefined) => {
    const value = text && oneLine(text).slice(0, maxUnits).toWellFormed()
    if (value && !values.has(name)) values.set(name, value)
  }
  const title = child(head, 'title')?.first
  if (title && !isElement(title)) set('title', title.value)
  const metas = new Map<string, string>()
  for (const node of head ? childrenOf(head) : []) {
    if (!isElement(node) || node.name !== 'meta') continue
    const name = (attributeOf(node, 'name') ?? attributeOf(node, 'property') ?? '').trim().toLowerCase()
    const content = attributeOf(node, 'content')
    if (name !== '' && content && !metas.has(name)) metas.set(name, content)
  }
  for (const [property, names] of metaNames) for (const name of names) set(property, metas.get(name))
  set('language', page && (attributeOf(page, 'lang') ?? attributeOf(page, 'xml:lang')))
  return Object.fromEntries(values)
}

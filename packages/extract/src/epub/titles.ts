import { headingLevel } from '../html/headings.ts'
import { attributeOf, type HtmlElement, isElement } from '../html/tree.ts'
import { visit } from '../html/walk.ts'
import { oneLine } from '../shared/clean-text.ts'
import type { Title } from './contents.ts'

/** No heading can stand before parts of a table or a list. */
const inner = /^(?:t(?:able|body|head|foot|r|d|h)|caption|ul|ol|dl|li|dt|dd)$/

/** Returns the outermost element that begins with this one; undefined within a heading. */
const beginningOf = (element: HtmlElement): HtmlElement | undefined => {
  let found = element
  for (let node: HtmlElement | null = element; node && node.name !== 'body'; node = node.parent) {
    if (headingLevel(node) !== undefined) return undefined
    let before = node.previous
    while (before && !isElement(before) && !/\S/.test(before.value)) before = before.previous
    const { parent } = node
    if (!parent || parent.name === 'body') break
    if (found === node && (!before || inner.test(parent.name))) found = parent
  }
  return found
}

const addHeading = (next: HtmlElement, { text, level }: Title): void => {
  const { parent, previous, namespace } = next
  if (!parent) return
  const links = { parent, previous, next }
  const heading: HtmlElement = { name: `h${level}`, namespace, attributes: [], first: null, last: null, ...links }
  heading.first = heading.last = { value: text, parent: heading, previous: null, next: null }
  if (previous) previous.next = heading
  else parent.first = heading
  next.previous = heading
}

/** Adds a heading where a part begins, unless one has the title. Returns the titles whose part was not found. */
export const addTitles = (root: HtmlElement, titles: readonly Title[]): readonly Title[] => {
  const places = new Map<string, HtmlElement>()
  const headings: string[] = []
  let open = 0
  visit(root, {
    open(element) {
      const id = attributeOf(element, 'id')
      if (id !== undefined && !places.has(id)) places.set(id, element)
      if (headingLevel(element) !== undefined && open++ === 0) headings.push('')
      return true
    },
    close(element) {
      if (headingLevel(element) !== undefined) open--
    },
    text(text) {
      if (open > 0) headings.push(`${headings.pop()}${text}`)
    },
  })
  const known = headings.map((text) => oneLine(text).toLowerCase()).filter((text) => text !== '')
  for (const title of titles) {
    const text = title.text.toLowerCase()
    const place = places.get(title.id)
    const next =
      place && !known.some((own) => own.includes(text) || text.includes(own)) ? beginningOf(place) : undefined
    if (next) addHeading(next, title)
  }
  return titles.filter(({ id }) => !places.has(id))
}

import { headingLevel } from './headings.ts'
import { attributeOf, type HtmlElement } from './tree.ts'
import { visit } from './walk.ts'

const containers = new Set(['ul', 'ol', 'menu', 'dl', 'p', 'div'])
const minLinks = 3
/** Mean words of a link up to which links alone are a menu; links to articles have more. */
const menuWords = 3
/** Short links beyond this number are a menu even below a heading. */
const manyLinks = 30

type List = {
  words: number
  linked: number
  links: number
  local: number
  isPlain: boolean
  readonly isIntroduced: boolean
}

const isMenu = ({ words, linked, links, local, isPlain, isIntroduced }: List): boolean => {
  if (links < minLinks || words > linked || !isPlain) return false
  return local === links || (linked <= menuWords * links && (!isIntroduced || links > manyLinks))
}

/**
 * Finds links that only lead through a site: lists and lines of short links alone, unless a heading or words before
 * them say what they are; contents of the page; links to parts of the page before all text ("Skip to content"), and
 * signs that link to their own heading.
 */
export const findLinkLists = (
  root: HtmlElement,
  isVisited: (element: HtmlElement) => boolean,
): ReadonlySet<HtmlElement> => {
  const found = new Set<HtmlElement>()
  const newList = (isIntroduced = false): List => ({
    words: 0,
    linked: 0,
    links: 0,
    local: 0,
    isPlain: true,
    isIntroduced,
  })
  const lists: List[] = [newList()]
  let link: { readonly isLocal: boolean; words: number; letters: boolean } | undefined
  let heading: number | undefined
  let isIntroduced = false
  let hasText = false
  visit(root, {
    open(element) {
      if (!isVisited(element)) return false
      const list = lists.at(-1) as List
      const level = headingLevel(element)
      if (level !== undefined) heading = level
      if (level !== undefined || element.name === 'img' || element.name === 'table') list.isPlain = false
      if (containers.has(element.name)) lists.push(newList(isIntroduced))
      else if (element.name === 'a')
        link = { isLocal: /^#./.test(attributeOf(element, 'href') ?? ''), words: 0, letters: false }
      return true
    },
    close(element) {
      const list = lists.at(-1) as List
      if (headingLevel(element) !== undefined) heading = undefined
      if (element.name === 'a' && link) {
        if (link.words > 0) list.links++
        if (link.words > 0 && link.isLocal) list.local++
        if (link.isLocal && link.words > 0 && (!hasText || !link.letters)) found.add(element)
        link = undefined
      }
      if (!containers.has(element.name)) return
      lists.pop()
      const outer = lists.at(-1) as List
      for (const name of ['words', 'linked', 'links', 'local'] as const) outer[name] += list[name]
      outer.isPlain &&= list.isPlain
      if (isMenu(list)) found.add(element)
    },
    text(text) {
      const words = text.match(/\S+/g)?.length ?? 0
      if (words === 0) return
      const list = lists.at(-1) as List
      const hasLetters = /[\p{L}\p{N}]/u.test(text)
      if (link) {
        link.words += words
        link.letters ||= hasLetters
        list.linked += words
      } else if (!hasLetters) return
      else hasText = true
      list.words += words
      isIntroduced = (heading ?? 1) > 1 || /[:：]\s*$/.test(text)
    },
  })
  return found
}

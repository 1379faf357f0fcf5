import { formatListNumber } from '../shared/number-format.ts'
import type { HtmlFlow } from './flow.ts'
import { attributeOf, childrenOf, type HtmlElement, isElement } from './tree.ts'

const numberFormats: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
}

type List = { readonly format: string | undefined; next: number; readonly step: 1 | -1 }

const integer = (element: HtmlElement, name: string): number | undefined => {
  const value = Number.parseInt(attributeOf(element, name) ?? '', 10)
  return Number.isNaN(value) ? undefined : value
}

const listOf = (element: HtmlElement): List => {
  const isReversed = attributeOf(element, 'reversed') !== undefined
  const first = isReversed
    ? [...childrenOf(element)].filter((child) => isElement(child) && child.name === 'li').length
    : 1
  const format = numberFormats[attributeOf(element, 'type') ?? ''] ?? 'decimal'
  return {
    format: element.name === 'ol' ? format : undefined,
    next: integer(element, 'start') ?? first,
    step: isReversed ? -1 : 1,
  }
}

const isList = ({ name }: HtmlElement): boolean => name === 'ol' || name === 'ul' || name === 'menu' || name === 'dl'
const isItem = ({ name }: HtmlElement): boolean => name === 'li' || name === 'dt' || name === 'dd'

/** Terms and descriptions are items without a label. */
export const htmlLists = (flow: HtmlFlow) => {
  const lists: List[] = []

  const itemOf = (element: HtmlElement): { readonly depth: number; readonly label: string } => {
    const depth = Math.max(1, lists.length)
    if (element.name === 'dt') return { depth: depth - 1, label: '' }
    if (element.name === 'dd') return { depth, label: '' }
    const list = lists.at(-1)
    if (!list?.format) return { depth, label: '- ' }
    const number = integer(element, 'value') ?? list.next
    list.next = number + list.step
    return { depth, label: `${formatListNumber(number, list.format)}. ` }
  }

  return {
    /** Returns whether the element is a list or an item. */
    open(element: HtmlElement): boolean {
      if (isItem(element)) flow.beginItem(itemOf(element))
      else if (isList(element)) {
        flow.endParagraph()
        lists.push(listOf(element))
      } else return false
      return true
    },
    close(element: HtmlElement): boolean {
      if (isItem(element)) flow.endItem()
      else if (isList(element)) {
        flow.endParagraph()
        lists.pop()
      } else return false
      return true
    },
  }
}

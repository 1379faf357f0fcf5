import { oneLine } from '../shared/clean-text.ts'
import type { NotReadCounter } from '../shared/not-read.ts'
import { pictureText } from '../shared/picture-text.ts'
import type { HtmlFlow } from './flow.ts'
import { attributeOf, type HtmlElement, isElement } from './tree.ts'
import { visit } from './walk.ts'

const textsIn = (element: HtmlElement): { readonly shown: string; readonly annotation: string } => {
  const shown: string[] = []
  const annotation: string[] = []
  const isAnnotation = ({ name }: HtmlElement) => name.startsWith('annotation')
  let annotations = 0
  visit(element, {
    open(inner) {
      if (inner.name === 'style' || inner.name === 'script') return false
      if (isAnnotation(inner)) annotations++
      return true
    },
    close(inner) {
      if (isAnnotation(inner)) annotations--
    },
    text(text) {
      if (annotations > 0) annotation.push(text)
      else shown.push(text)
    },
  })
  return { shown: oneLine(shown.join(' ')), annotation: oneLine(annotation.join(' ')) }
}

export const isDrawn = ({ name }: HtmlElement): boolean => name === 'math' || name === 'svg'

const drawnText = (element: HtmlElement): string => {
  const { shown, annotation } = textsIn(element)
  if (element.name === 'math') return attributeOf(element, 'alttext') || annotation || shown
  const label = attributeOf(element, 'aria-label')?.trim() ?? ''
  const text = shown.includes(label) ? shown : `${label} ${shown}`.trim()
  return text === '' ? '' : `[Picture: ${text}]`
}

/** Reads an element that is one text (line break, picture, equation …); returns whether this is one. */
export const readWhole = (element: HtmlElement, flow: HtmlFlow, notRead: NotReadCounter): boolean => {
  if (element.name === 'br') flow.endLine()
  else if (isDrawn(element)) flow.addApart(drawnText(element))
  else if (element.name === 'sup') {
    const inner = element.first
    if (!inner || isElement(inner) || inner.next !== null) return false
    flow.addRaised(inner.value)
  } else if (element.name === 'img') {
    const alt = attributeOf(element, 'alt')
    const text = pictureText(alt)
    if (text !== undefined) flow.addApart(text)
    // An empty description marks a decorative picture.
    else if (alt?.trim() !== '') notRead.add('picture')
  } else return false
  return true
}

import { attributeOf, type HtmlElement } from './tree.ts'
import { walk } from './walk.ts'

export const headingLevel = (element: HtmlElement): number | undefined => {
  if (/^h[1-6]$/.test(element.name)) return Number(element.name.slice(1))
  if (attributeOf(element, 'role') !== 'heading') return undefined
  return Math.max(1, Number.parseInt(attributeOf(element, 'aria-level') ?? '', 10) || 2)
}

export const hasHeading = (root: HtmlElement): boolean => {
  let open = 0
  let isFound = false
  const visited = walk(root, {
    open(element) {
      if (headingLevel(element) !== undefined) open++
      return true
    },
    close(element) {
      if (headingLevel(element) !== undefined) open--
    },
    text(text) {
      if (open > 0 && /\S/.test(text)) isFound = true
    },
  })
  for (const _ of visited) if (isFound) return true
  return false
}

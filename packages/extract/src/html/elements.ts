import type { Element } from '../shared/document.ts'
import { shownAddress } from '../shared/link-address.ts'
import type { NotReadCounter } from '../shared/not-read.ts'
import { HtmlFlow } from './flow.ts'
import { headingLevel } from './headings.ts'
import { inline } from './inline.ts'
import type { LeftOut } from './left-out.ts'
import { htmlLists } from './lists.ts'
import { htmlTables } from './tables.ts'
import { attributeOf, type HtmlElement } from './tree.ts'
import { walk } from './walk.ts'
import { readWhole } from './whole.ts'

const objects = new Set(['iframe', 'frame', 'object', 'embed', 'applet', 'audio', 'video', 'canvas'])
const preformatted = new Set(['pre', 'listing', 'xmp', 'plaintext'])

/** Yields elements while the page is visited, so that they are not all held in memory. */
export function* htmlElements(
  root: HtmlElement,
  leftOut: LeftOut,
  notRead: NotReadCounter,
  keepsHidden: boolean,
): Generator<Element> {
  const flow = new HtmlFlow()
  const lists = htmlLists(flow)
  const tables = htmlTables(flow)
  /** Outermost hidden element; its text gets only one mark. */
  let hidden: { readonly element: HtmlElement; isMarked: boolean } | undefined

  const begin = (element: HtmlElement): void => {
    const { name } = element
    if (name === 'a') {
      const address = shownAddress(attributeOf(element, 'href')?.trim() ?? '')
      if (address !== undefined) flow.beginLink(address)
    } else if (!inline.has(name) && !tables.open(element)) {
      const level = headingLevel(element)
      if (level !== undefined) flow.beginHeading(level)
      else if (preformatted.has(name)) flow.setPreformatted(1)
      else if (!lists.open(element)) flow.endParagraph()
    }
  }

  const end = (element: HtmlElement): void => {
    const { name } = element
    if (name === 'a') flow.endLink()
    else if (!inline.has(name) && !tables.close(element)) {
      if (headingLevel(element) !== undefined) flow.endHeading()
      else if (preformatted.has(name)) flow.setPreformatted(-1)
      else if (!lists.close(element)) flow.endParagraph()
    }
    // Frees memory while the rest is read.
    element.first = null
  }

  const visited = walk(root, {
    open(element) {
      const how = leftOut.open(element)
      if (objects.has(element.name) && (how === 'read' || how === 'unread')) notRead.add('object')
      if (how === 'left out' || how === 'unread' || (how === 'hidden' && !keepsHidden)) return false
      if (how === 'hidden') hidden ??= { element, isMarked: false }
      if (readWhole(element, flow, notRead)) return false
      begin(element)
      return true
    },
    close(element) {
      end(element)
      leftOut.close(element)
      if (hidden?.element === element) hidden = undefined
    },
    text(text) {
      if (hidden && !hidden.isMarked && /\S/.test(text)) {
        flow.addApart('[Hidden text]')
        hidden.isMarked = true
      }
      flow.addText(text)
    },
  })
  for (const _ of visited) yield* flow.take()
  flow.endParagraph()
  yield* flow.take()
}

import type { Element } from '../shared/document.ts'
import { headingStyle, itemStyle } from '../shared/flow.ts'
import { lineText } from './line-text.ts'

/** `depth` holds for text without a label, which is one level deeper than a label. */
type Item = { readonly depth: number; label: string }
type Heading = { readonly level: number; readonly addresses: string[] }
/** Content of the page, of a cell, or of a table apart from its rows. */
type Frame = {
  readonly children: Element[]
  /** Outermost first. */
  readonly items: Item[]
  heading: Heading | undefined
  preformatted: number
}

const maxDepth = 8

const paragraph = (text: string, styleId?: string): Element => ({
  type: 'paragraph',
  ...(styleId === undefined ? {} : { styleId }),
  children: [{ type: 'text', value: text }],
})

const newFrame = (): Frame => ({ children: [], items: [], heading: undefined, preformatted: 0 })

/** Writes paragraphs, headings and list items as the tree that `shared/blocks.ts` reads. */
export class HtmlFlow {
  readonly #line = lineText()
  readonly #frames: Frame[] = [newFrame()]
  readonly addApart = this.#line.addApart
  readonly addRaised = this.#line.addRaised
  readonly endLine = this.#line.endLine
  readonly beginLink = this.#line.beginLink

  addText(text: string): void {
    if (this.#frame.preformatted > 0) this.#line.addAsIs(text)
    else this.#line.add(text)
  }

  endLink(): void {
    this.#takeAddress()
    this.#line.dropLink()
  }

  beginHeading(level: number): void {
    this.endParagraph()
    this.#frame.heading = { level, addresses: [] }
  }

  endHeading(): void {
    this.endParagraph()
    this.#frame.heading = undefined
  }

  beginItem(item: Item): void {
    this.endParagraph()
    this.#frame.items.push(item)
  }

  endItem(): void {
    this.endParagraph()
    this.#frame.items.pop()
  }

  setPreformatted(by: 1 | -1): void {
    this.endParagraph()
    this.#frame.preformatted += by
  }

  add(...elements: Element[]): void {
    this.endParagraph()
    for (const element of elements) this.#frame.children.push(element)
  }

  beginFrame(): void {
    this.endParagraph()
    this.#frames.push(newFrame())
  }

  endFrame(): Element[] {
    this.endParagraph()
    return this.#frames.pop()?.children ?? []
  }

  /** Removes and returns the complete blocks of the page. */
  take(): Element[] {
    return this.#frames.length === 1 && this.#frame.children.length > 0 ? this.#frame.children.splice(0) : []
  }

  endParagraph(): void {
    this.#takeAddress()
    const frame = this.#frame
    const { children, items, heading } = frame
    const text = this.#line.end()
    if (text.trim() === '') return
    const item = items.at(-1)
    if (heading) {
      // A second block within a heading is none: the heading may never have been closed.
      frame.heading = undefined
      children.push(paragraph(text, headingStyle(heading.level)))
      if (heading.addresses.length > 0) children.push(paragraph(heading.addresses.join('\n')))
    } else if (item === undefined || frame.preformatted > 0) children.push(paragraph(text))
    else {
      const depth = item.label === '' ? item.depth : item.depth - 1
      children.push(paragraph(item.label + text.trim(), itemStyle(Math.min(maxDepth, depth))))
      item.label = ''
    }
  }

  get #frame(): Frame {
    return this.#frames[this.#frames.length - 1] as Frame
  }

  /** Addresses in a heading follow below it. */
  #takeAddress(): void {
    const address = this.#line.endLink()
    if (address === undefined) return
    const { heading } = this.#frame
    if (heading) heading.addresses.push(address)
    else this.#line.addBehind(`(${address})`)
  }
}

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

/** Writes paragraphs, headings and list items as the tree that `shared/blocks.ts` reads. */
export const htmlFlow = () => {
  const line = lineText()
  const newFrame = (): Frame => ({ children: [], items: [], heading: undefined, preformatted: 0 })
  const frames: Frame[] = [newFrame()]
  const top = (): Frame => frames[frames.length - 1] as Frame

  /** Addresses in a heading follow below it. */
  const endLink = (): void => {
    const address = line.endLink()
    if (address === undefined) return
    const { heading } = top()
    if (heading) heading.addresses.push(address)
    else line.addBehind(`(${address})`)
  }

  const endParagraph = (): void => {
    endLink()
    const frame = top()
    const { children, items, heading } = frame
    const text = line.end()
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

  return {
    endParagraph,
    addText(text: string): void {
      if (top().preformatted > 0) line.addAsIs(text)
      else line.add(text)
    },
    addApart: line.addApart,
    addRaised: line.addRaised,
    endLine: line.endLine,
    beginLink: line.beginLink,
    endLink(): void {
      endLink()
      line.dropLink()
    },
    beginHeading(level: number): void {
      endParagraph()
      top().heading = { level, addresses: [] }
    },
    endHeading(): void {
      endParagraph()
      top().heading = undefined
    },
    beginItem(item: Item): void {
      endParagraph()
      top().items.push(item)
    },
    endItem(): void {
      endParagraph()
      top().items.pop()
    },
    setPreformatted(by: 1 | -1): void {
      endParagraph()
      top().preformatted += by
    },
    add(...elements: Element[]): void {
      endParagraph()
      for (const element of elements) top().children.push(element)
    },
    beginFrame(): void {
      endParagraph()
      frames.push(newFrame())
    },
    endFrame(): Element[] {
      endParagraph()
      return frames.pop()?.children ?? []
    },
    /** Removes and returns the complete blocks of the page. */
    take: (): Element[] => (frames.length === 1 && top().children.length > 0 ? top().children.splice(0) : []),
  }
}
export type HtmlFlow = ReturnType<typeof htmlFlow>

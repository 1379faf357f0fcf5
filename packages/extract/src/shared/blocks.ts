import { maxBlockUnits, type NewBlock } from './block-writer.ts'
import type { Element } from './document.ts'
import { isLayout, splitTitles, tableParts, tableRows } from './tables.ts'

type Part = Omit<NewBlock, 'at'>

/** The next text begins a new line after these, as after paragraphs of a cell and nested tables. */
const endsLine: ReadonlySet<string> = new Set(['paragraph', 'table', 'tableRow', 'tableCell'])

const styleNumber = (prefix: string, { styleId }: Element): number | undefined =>
  styleId?.startsWith(prefix) ? Number(styleId.slice(prefix.length)) : undefined

const inLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .filter(Boolean)
    .join('\n')

const plainText = (element: Element, onReference: (reference: Element) => string): string => {
  if (element.type === 'text') return element.value ?? ''
  if (element.type === 'noteReference') return onReference(element)
  return (element.children ?? [])
    .map((child) => plainText(child, onReference) + (endsLine.has(child.type) ? '\n' : ''))
    .join('')
}

export const furnitureText = (document: Element): string => inLines(plainText(document, () => ''))

/** `children` may be created while they are read. */
type Document = Omit<Element, 'type' | 'children'> & { readonly children?: Iterable<Element> }

/** Yields blocks, then footnotes, endnotes and comments. `marked`: text that each comment refers to. */
export function* documentBlocks(document: Document, marked: ReadonlyMap<string, string>): Generator<Part> {
  const referred: Element[] = []
  const textOf = (element: Element): string =>
    plainText(element, (reference) => {
      referred.push(reference)
      return ` [${referred.length}]`
    })
  const cellText = (cell: Element): string => (cell.children ?? []).map(textOf).join(' ')
  let list: string[] = []
  let units = 0
  const endList = (): Part[] => {
    const text = list.join('\n')
    list = []
    units = 0
    return text === '' ? [] : [{ kind: 'text', text }]
  }

  function* blocksOf(elements: Iterable<Element>): Generator<Part> {
    for (const element of elements) {
      if (element.type === 'table') {
        yield* endList()
        if (isLayout(element)) yield* blocksOf(element.children ?? [])
        else {
          const { titles, rows } = splitTitles(element)
          yield* blocksOf(titles)
          yield* endList()
          for (const text of tableParts(tableRows(rows, cellText))) yield { kind: 'table', text }
        }
      } else if (element.type === 'paragraph') {
        const text = textOf(element).trim()
        if (text === '') continue
        const depth = styleNumber('item', element)
        if (depth !== undefined) {
          list.push(`${'  '.repeat(depth)}${text.replaceAll('\n', ' ')}`)
          units += text.length + 20
          if (units > maxBlockUnits - 10_000) yield* endList()
          continue
        }
        yield* endList()
        const level = styleNumber('heading', element)
        yield level === undefined ? { kind: 'text', text } : { kind: 'heading', level, text: text.replace(/\s+/g, ' ') }
      } else if (element.children) {
        yield* blocksOf(element.children)
        // The list in a cell of a layout table does not continue in the next cell.
        if (element.type === 'tableCell') yield* endList()
      }
    }
  }

  yield* blocksOf(document.children ?? [])
  yield* endList()
  const bodyText = ({ body = [] }: Element): string => inLines(body.map(textOf).join('\n'))
  // A note may refer to another one. Each is written once, so that a cycle ends.
  const count = referred.length
  for (const [index, reference] of referred.slice(0, count).entries()) {
    const note = document.notes?.resolve(reference)
    const text = note ? bodyText(note) : ''
    if (text !== '') yield { kind: 'text', text: `[${index + 1}] ${text}` }
  }
  for (const comment of document.comments ?? []) {
    const text = bodyText(comment)
    if (text === '') continue
    const words = marked
      .get(comment.commentId ?? '')
      ?.replace(/\s+/g, ' ')
      .trim()
    yield {
      kind: 'text',
      text: `Comment${comment.authorName ? ` by ${comment.authorName}` : ''}${words ? ` on “${words}”` : ''}: ${text}`,
    }
  }
}

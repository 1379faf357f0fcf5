import type { NewBlock } from '../shared/block-writer.ts'
import { oneLine } from '../shared/clean-text.ts'
import type { Element } from '../shared/document.ts'
import { isAddressText } from '../shared/link-address.ts'
import { formatListNumber } from '../shared/number-format.ts'
import { splitTitles, tableParts, tableRows } from '../shared/tables.ts'
import type { Inherited } from './layouts.ts'
import { inReadingOrder } from './order.ts'
import { type Bullet, isTitle, type Paragraph, type Shape } from './shape.ts'

type Part = Omit<NewBlock, 'at'>

const schemes = new Map([
  ['alphaLc', 'lowerLetter'],
  ['alphaUc', 'upperLetter'],
  ['romanLc', 'lowerRoman'],
  ['romanUc', 'upperRoman'],
])

const numberText = (value: number, format: string): string => {
  const [, scheme = '', ending = ''] = /^(.*?)(ParenBoth|ParenR|Period|Plain)?$/.exec(format) ?? []
  const number = formatListNumber(value, schemes.get(scheme) ?? 'decimal')
  if (ending === 'ParenBoth') return `(${number})`
  if (ending === 'Plain') return number
  return `${number}${ending === 'ParenR' ? ')' : '.'}`
}

const linesOf = (paragraphs: readonly Paragraph[], inherited: Inherited, own: Shape['bullets']): string[] => {
  const counters: { format: string; value: number }[] = []
  return paragraphs.flatMap(({ text, level, ...paragraph }) => {
    if (text === '') return []
    const bullet: Bullet = paragraph.bullet ?? own.get(level) ?? inherited.bullet(level) ?? { kind: 'none' }
    const before = counters[level]
    counters.length = Math.min(counters.length, level)
    if (bullet.kind === 'none') return [text]
    let label = '-'
    if (bullet.kind === 'numbered') {
      const value = before?.format === bullet.format ? before.value + 1 : bullet.first
      counters[level] = { format: bullet.format, value }
      label = numberText(value, bullet.format)
    }
    return [`${'  '.repeat(level)}${label} ${text.replace(/\s+/g, ' ')}`]
  })
}

const plainText = (element: Element): string =>
  element.value ?? (element.children ?? []).map(plainText).join(element.type === 'tableCell' ? ' ' : '\n')

function* shapeBlocks(shape: Shape, inherit: (shape: Shape) => Inherited): Generator<Part> {
  const { paragraphs, bullets, table, chart, picture, address, children } = shape
  const lines = linesOf(paragraphs, inherit(shape), bullets)
  // A shape with text needs no description of its picture.
  if (lines.length === 0 && !table && picture !== undefined) lines.push(picture)
  const text = lines.join('\n')
  if (text !== '') {
    const link = address !== undefined && !isAddressText(text, address) ? ` (${address})` : ''
    yield { kind: 'text', text: `${text}${link}` }
  }
  if (table) {
    const { titles, rows } = splitTitles(table)
    for (const title of titles) yield { kind: 'text', text: plainText(title) }
    for (const part of tableParts(tableRows(rows, plainText))) yield { kind: 'table', text: part }
  }
  if (chart) for (const part of tableParts({ rows: chart, header: 1 })) yield { kind: 'table', text: part }
  for (const child of inReadingOrder(children)) yield* shapeBlocks(child, inherit)
}

/** Repeat on every slide. */
const footers = /^(?:dt|ftr|hdr|sldNum|sldImg)$/
const isFooter = ({ placeholder }: Shape): boolean => footers.test(placeholder?.type ?? '')

const anyHidden = (shapes: readonly Shape[]): boolean =>
  shapes.some(({ isHidden, children }) => isHidden || anyHidden(children))

const textOf = (shapes: readonly Shape[]): string =>
  shapes.flatMap(({ paragraphs, children }) => [...paragraphs.map(({ text }) => text), textOf(children)]).join(' ')

export type SlideContent = {
  /** Empty if the slide has none. */
  readonly title: string
  readonly parts: readonly Part[]
  /** Date and footer, which other slides have, too. */
  readonly footers: readonly string[]
  readonly hasHiddenShapes: boolean
}

export const slideContent = (shapes: readonly Shape[], inherit: (shape: Shape) => Inherited): SlideContent => {
  const placed = shapes.map((shape) => {
    const box = shape.box ?? inherit(shape).box
    return { ...shape, ...(box && { box }) }
  })
  const titled = placed.find((shape) => isTitle(shape) && textOf([shape]).trim() !== '')
  const body = placed.filter((shape) => shape !== titled && !isFooter(shape))
  return {
    title: titled ? oneLine(textOf([titled])) : '',
    parts: inReadingOrder(body).flatMap((shape) => [...shapeBlocks(shape, inherit)]),
    footers: placed
      .filter((shape) => /^(?:dt|ftr)$/.test(shape.placeholder?.type ?? ''))
      .map((shape) => oneLine(textOf([shape])))
      .filter(Boolean),
    hasHiddenShapes: anyHidden(body),
  }
}

/** Leaves out slide picture, date, header, footer and number. */
export const notesText = (shapes: readonly Shape[]): string =>
  shapes
    .filter((shape) => !isFooter(shape))
    .flatMap(({ paragraphs, bullets }) => linesOf(paragraphs, { bullet: () => undefined }, bullets))
    .join('\n')

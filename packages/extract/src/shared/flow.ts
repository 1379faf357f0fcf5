import { maxTextBytes, type TreeBudget, tooLarge } from '../docx/budget.ts'
import type { Label, Numbering } from '../docx/numbering.ts'
import { bodyLevel, type ParagraphStyle } from '../docx/styles.ts'

export type ParagraphProperties = {
  styleId?: string
  numId?: string
  ilvl?: string
  outline?: number
  /** The text belongs to the next paragraph: the paragraph mark is deleted, or the text is a drop cap. */
  joins?: boolean
}

type Paragraph = ParagraphProperties & {
  /** Opened by text outside of a paragraph. */
  readonly implied: boolean
  kind: string
  label: string
  xml: string
  /** Not yet part of `xml`. */
  text: string
  units: number
  filled: boolean
  /** XML of text boxes and other anchored content, written after the paragraph. */
  readonly after: string[]
}
type Frame = { readonly out: string[]; paragraph?: Paragraph | undefined; carried: string }

const maxHeading = 6

/** See `document.ts`. */
export const headingStyle = (level: number): string => `heading${Math.min(maxHeading, level)}`
export const itemStyle = (level: number): string => `item${level}`

// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that XML does not allow
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
export const escapeText = (text: string): string =>
  text.replace(forbidden, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
export const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;')

/**
 * Writes paragraphs and tables for mammoth: a style, the label as text, the content. Empty paragraphs count in their
 * lists but are not written.
 */
export const docxFlow = (budget: TreeBudget, styleOf: (id: string) => ParagraphStyle, numbering: Numbering) => {
  const out: string[] = []
  const frames: Frame[] = [{ out, carried: '' }]
  let lastUnit = ''
  const top = (): Frame => frames[frames.length - 1] as Frame

  const write = (xml: string): void => {
    budget(xml)
    top().out.push(xml)
  }

  const begin = (implied: boolean): Paragraph => {
    const frame = top()
    const { carried } = frame
    frame.carried = ''
    frame.paragraph = {
      implied,
      kind: '',
      label: '',
      xml: carried,
      text: '',
      units: carried.length,
      filled: carried !== '',
      after: [],
    }
    return frame.paragraph
  }

  const endText = (paragraph: Paragraph): void => {
    if (paragraph.text !== '') paragraph.xml += `<w:t>${escapeText(paragraph.text)}</w:t>`
    paragraph.text = ''
  }

  const end = (): void => {
    const frame = top()
    const { paragraph } = frame
    if (!paragraph) return
    frame.paragraph = undefined
    endText(paragraph)
    if (paragraph.joins) frame.carried = paragraph.filled ? paragraph.xml : ''
    else if (paragraph.filled) {
      const style = paragraph.kind === '' ? '' : `<w:pPr><w:pStyle w:val="${paragraph.kind}"/></w:pPr>`
      const label = paragraph.label === '' ? '' : `<w:t>${escapeText(paragraph.label)} </w:t>`
      write(`<w:p>${style}${`${label}${paragraph.xml}`.replace('</w:t><w:t>', '')}</w:p>`)
    }
    // Counted when it was written.
    for (const xml of paragraph.after) frame.out.push(xml)
  }

  /** Counts the next `units` of content before they are held. */
  const current = (units: number): Paragraph => {
    const paragraph = top().paragraph ?? begin(true)
    paragraph.units += units
    if (paragraph.units > maxTextBytes) throw tooLarge()
    return paragraph
  }

  return {
    write,
    properties: (): ParagraphProperties | undefined => top().paragraph,
    beginParagraph(): void {
      if (top().paragraph?.implied) end()
      begin(false)
    },
    /** Resolves style and number. Call once the properties are read, for all paragraphs in document order. */
    endProperties(): void {
      const { paragraph } = top()
      if (!paragraph || paragraph.joins) return
      const style = paragraph.styleId === undefined ? undefined : styleOf(paragraph.styleId)
      const label: Label | undefined = numbering(paragraph, style)
      const heading = paragraph.outline === undefined ? style?.heading : paragraph.outline + 1
      if (heading !== undefined && heading <= bodyLevel) {
        paragraph.kind = headingStyle(heading)
        if (label && label.text !== '-') paragraph.label = label.text
      } else if (label) {
        paragraph.kind = itemStyle(label.level)
        paragraph.label = label.text
      }
    },
    endParagraph: end,
    addText(text: string): void {
      const paragraph = current(text.length)
      paragraph.text += text
      lastUnit = text.slice(-1)
      if (!paragraph.filled && /\S/.test(text)) paragraph.filled = true
    },
    /** Text since the paragraph's last element. */
    text: (): string => top().paragraph?.text ?? '',
    followsText: (): boolean => (top().paragraph?.text ?? '') !== '' && /\S/.test(lastUnit),
    addElement(xml: string): void {
      const paragraph = current(xml.length)
      endText(paragraph)
      paragraph.xml += xml
      paragraph.filled = true
    },
    /** A cell, or content that follows the current paragraph. */
    beginFrame(): void {
      if (top().paragraph?.implied) end()
      const { out, paragraph } = top()
      frames.push({ out: paragraph?.after ?? out, carried: '' })
    },
    endFrame(): void {
      end()
      const { carried } = top()
      if (carried !== '') write(`<w:p>${carried}</w:p>`)
      frames.pop()
    },
    /** Returns a function that removes everything written since. */
    mark(): () => void {
      const { out } = top()
      const { length } = out
      return () => {
        out.length = length
      }
    },
    end(): string {
      end()
      const { carried } = top()
      if (carried !== '') write(`<w:p>${carried}</w:p>`)
      return out.join('')
    },
  }
}
export type DocxFlow = ReturnType<typeof docxFlow>

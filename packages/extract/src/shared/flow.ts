import { maxTextBytes, type TreeBudget, tooLarge } from '../docx/budget.ts'
import type { Numbering } from '../docx/numbering.ts'
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

export type FlowRules = {
  readonly budget: TreeBudget
  readonly styleOf: (id: string) => ParagraphStyle
  readonly numbering: Numbering
}

const maxHeading = 6

/** See `document.ts`. */
export const headingStyle = (level: number): string => `heading${Math.min(maxHeading, level)}`
export const itemStyle = (level: number): string => `item${level}`

// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that XML does not allow
const forbidden = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
export const escapeText = (text: string): string =>
  text.replace(forbidden, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
export const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;')

const newParagraph = (implied: boolean, carried: string): Paragraph => ({
  implied,
  kind: '',
  label: '',
  xml: carried,
  text: '',
  units: carried.length,
  filled: carried !== '',
  after: [],
})

/** Moves the text into the XML. */
const endText = (paragraph: Paragraph): void => {
  if (paragraph.text !== '') paragraph.xml += `<w:t>${escapeText(paragraph.text)}</w:t>`
  paragraph.text = ''
}

const paragraphXml = ({ kind, label, xml }: Paragraph): string => {
  const style = kind === '' ? '' : `<w:pPr><w:pStyle w:val="${kind}"/></w:pPr>`
  const labelXml = label === '' ? '' : `<w:t>${escapeText(label)} </w:t>`
  return `<w:p>${style}${`${labelXml}${xml}`.replace('</w:t><w:t>', '')}</w:p>`
}

/**
 * Writes paragraphs and tables for mammoth: a style, the label as text, the content. Empty paragraphs count in their
 * lists but are not written.
 */
export class DocxFlow {
  readonly #rules: FlowRules
  readonly #out: string[] = []
  readonly #frames: Frame[] = [{ out: this.#out, carried: '' }]
  #lastUnit = ''

  constructor(rules: FlowRules) {
    this.#rules = rules
  }

  write(xml: string): void {
    this.#rules.budget(xml)
    this.#frame.out.push(xml)
  }

  get properties(): ParagraphProperties | undefined {
    return this.#frame.paragraph
  }

  beginParagraph(): void {
    this.#endImplied()
    this.#begin(false)
  }

  /** Resolves style and number. Call once the properties are read, for all paragraphs in document order. */
  endProperties(): void {
    const { paragraph } = this.#frame
    if (!paragraph || paragraph.joins) return
    const style = paragraph.styleId === undefined ? undefined : this.#rules.styleOf(paragraph.styleId)
    const label = this.#rules.numbering(paragraph, style)
    const heading = paragraph.outline === undefined ? style?.heading : paragraph.outline + 1
    if (heading !== undefined && heading <= bodyLevel) {
      paragraph.kind = headingStyle(heading)
      if (label && label.text !== '-') paragraph.label = label.text
    } else if (label) {
      paragraph.kind = itemStyle(label.level)
      paragraph.label = label.text
    }
  }

  endParagraph(): void {
    const frame = this.#frame
    const { paragraph } = frame
    if (!paragraph) return
    frame.paragraph = undefined
    endText(paragraph)
    if (paragraph.joins) frame.carried = paragraph.filled ? paragraph.xml : ''
    else if (paragraph.filled) this.write(paragraphXml(paragraph))
    // Counted when it was written.
    for (const xml of paragraph.after) frame.out.push(xml)
  }

  addText(text: string): void {
    const paragraph = this.#current(text.length)
    paragraph.text += text
    this.#lastUnit = text.slice(-1)
    if (!paragraph.filled && /\S/.test(text)) paragraph.filled = true
  }

  addElement(xml: string): void {
    const paragraph = this.#current(xml.length)
    endText(paragraph)
    paragraph.xml += xml
    paragraph.filled = true
  }

  /** Text since the paragraph's last element. */
  get text(): string {
    return this.#frame.paragraph?.text ?? ''
  }

  get followsText(): boolean {
    return this.text !== '' && /\S/.test(this.#lastUnit)
  }

  /** A cell, or content that follows the current paragraph. */
  beginFrame(): void {
    this.#endImplied()
    const { out, paragraph } = this.#frame
    this.#frames.push({ out: paragraph?.after ?? out, carried: '' })
  }

  endFrame(): void {
    this.#endContent()
    this.#frames.pop()
  }

  /** Returns a function that removes everything written since. */
  mark(): () => void {
    const { out } = this.#frame
    const { length } = out
    return () => {
      out.length = length
    }
  }

  end(): string {
    this.#endContent()
    return this.#out.join('')
  }

  get #frame(): Frame {
    return this.#frames[this.#frames.length - 1] as Frame
  }

  #begin(implied: boolean): Paragraph {
    const frame = this.#frame
    const paragraph = newParagraph(implied, frame.carried)
    frame.carried = ''
    frame.paragraph = paragraph
    return paragraph
  }

  /** Counts the next `units` of content before they are held. */
  #current(units: number): Paragraph {
    const paragraph = this.#frame.paragraph ?? this.#begin(true)
    paragraph.units += units
    if (paragraph.units > maxTextBytes) throw tooLarge()
    return paragraph
  }

  #endImplied(): void {
    if (this.#frame.paragraph?.implied) this.endParagraph()
  }

  /** Writes the frame's last paragraph, and what was to join a next one. */
  #endContent(): void {
    this.endParagraph()
    const { carried } = this.#frame
    if (carried !== '') this.write(`<w:p>${carried}</w:p>`)
  }
}

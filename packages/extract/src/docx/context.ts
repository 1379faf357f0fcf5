import type { Chart } from '../shared/charts.ts'
import { DocxFlow, escapeText, type FlowRules } from '../shared/flow.ts'
import type { NotReadCounter, NotReadKind } from '../shared/not-read.ts'

export type DocxShared = FlowRules & {
  readonly notRead: NotReadCounter
  /** Text that each comment refers to, by comment id. */
  readonly marked: Map<string, string>
}

export type PartOptions = {
  /** Header or footer: page numbers are left out. */
  readonly furniture?: boolean
  readonly charts?: ReadonlyMap<string, Chart>
  /** By relation id. */
  readonly diagrams?: ReadonlyMap<string, readonly string[]>
}

const cellXml = (text: string): string => `<w:tc><w:p><w:t>${escapeText(text)}</w:t></w:p></w:tc>`

const maxMarkedUnits = 200
const maxOpenComments = 20
const maxMarked = 5000

/** Adds what the handlers read to the flow. */
export class DocxContext {
  readonly flow: DocxFlow
  readonly options: PartOptions
  readonly #shared: DocxShared
  readonly #openComments = new Set<string>()
  #seen = 0
  /** Enclosing fields whose result is left out. */
  #hidden = 0
  /** State of a check box; replaces the next character. */
  #box: string | undefined

  constructor(shared: DocxShared, options: PartOptions) {
    this.#shared = shared
    this.options = options
    this.flow = new DocxFlow(shared)
  }

  /** Grows with everything that is read or noted. */
  get seen(): number {
    return this.#seen
  }

  addText(text: string): void {
    if (this.#hidden > 0 || text === '') return
    let shown = text
    if (this.#box !== undefined) {
      shown = this.#box + text.slice(String.fromCodePoint(text.codePointAt(0) ?? 0).length)
      this.#box = undefined
    }
    if (/\S/.test(shown)) this.#seen++
    this.flow.addText(shown)
    this.#markComments(shown)
  }

  addElement(xml: string): void {
    if (this.#hidden > 0) return
    if (this.#box !== undefined) {
      this.addText(' ')
      return
    }
    this.#seen++
    this.flow.addElement(xml)
  }

  addAfter(text: string): void {
    this.flow.beginFrame()
    this.addText(text)
    this.flow.endFrame()
  }

  /** Adds a table after the current paragraph; its first row is the header. */
  addTable(rows: Chart['rows']): void {
    if (this.#hidden > 0 || rows.length === 0) return
    this.#seen++
    this.flow.beginFrame()
    this.flow.write(`<w:tbl>${rows.map((row) => `<w:tr>${row.map(cellXml).join('')}</w:tr>`).join('')}</w:tbl>`)
    this.flow.endFrame()
  }

  noteUnread(kind: NotReadKind): void {
    this.#seen++
    this.#shared.notRead.add(kind)
  }

  hide(by: 1 | -1): void {
    this.#hidden += by
  }

  endParagraph(): void {
    this.#markComments(' ')
    this.flow.endParagraph()
  }

  beginComment(id: string): void {
    if (this.#openComments.size < maxOpenComments && this.#shared.marked.size < maxMarked) this.#openComments.add(id)
  }

  endComment(id: string): void {
    this.#openComments.delete(id)
  }

  beginBox(state: string): void {
    this.#box = state
  }

  /** Writes the state if no character followed. */
  endBox(): void {
    if (this.#box !== undefined) this.addText(' ')
    this.#box = undefined
  }

  #markComments(text: string): void {
    const { marked } = this.#shared
    for (const id of this.#openComments) {
      const known = marked.get(id) ?? ''
      if (known.length < maxMarkedUnits) marked.set(id, (known + text).slice(0, maxMarkedUnits))
    }
  }
}

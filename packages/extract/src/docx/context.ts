import type { Chart } from '../shared/charts.ts'
import { type DocxFlow, docxFlow, escapeText } from '../shared/flow.ts'
import type { NotReadCounter, NotReadKind } from '../shared/not-read.ts'
import type { TreeBudget } from './budget.ts'
import type { Numbering } from './numbering.ts'
import type { ParagraphStyle } from './styles.ts'

export type DocxShared = {
  readonly budget: TreeBudget
  readonly styleOf: (id: string) => ParagraphStyle
  readonly numbering: Numbering
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

export const docxContext = (shared: DocxShared, options: PartOptions) => {
  const flow: DocxFlow = docxFlow(shared.budget, shared.styleOf, shared.numbering)
  const openComments = new Set<string>()
  /** Grows with everything that is read or noted. */
  let seen = 0
  /** Enclosing fields whose result is left out. */
  let hidden = 0
  /** State of a check box; replaces the next character. */
  let box: string | undefined

  const markComments = (text: string): void => {
    for (const id of openComments) {
      const known = shared.marked.get(id) ?? ''
      if (known.length < maxMarkedUnits) shared.marked.set(id, (known + text).slice(0, maxMarkedUnits))
    }
  }

  const addText = (text: string): void => {
    if (hidden > 0 || text === '') return
    let shown = text
    if (box !== undefined) {
      shown = box + text.slice(String.fromCodePoint(text.codePointAt(0) ?? 0).length)
      box = undefined
    }
    if (/\S/.test(shown)) seen++
    flow.addText(shown)
    markComments(shown)
  }

  return {
    flow,
    options,
    seen: () => seen,
    addText,
    addElement(xml: string): void {
      if (hidden > 0) return
      if (box !== undefined) {
        addText(' ')
        return
      }
      seen++
      flow.addElement(xml)
    },
    addAfter(text: string): void {
      flow.beginFrame()
      addText(text)
      flow.endFrame()
    },
    /** Adds a table after the current paragraph; its first row is the header. */
    addTable(rows: Chart['rows']): void {
      if (hidden > 0 || rows.length === 0) return
      seen++
      flow.beginFrame()
      flow.write(`<w:tbl>${rows.map((row) => `<w:tr>${row.map(cellXml).join('')}</w:tr>`).join('')}</w:tbl>`)
      flow.endFrame()
    },
    noteUnread(kind: NotReadKind): void {
      seen++
      shared.notRead.add(kind)
    },
    hide(by: 1 | -1): void {
      hidden += by
    },
    endParagraph(): void {
      markComments(' ')
      flow.endParagraph()
    },
    beginComment(id: string): void {
      if (openComments.size < maxOpenComments && shared.marked.size < maxMarked) openComments.add(id)
    },
    endComment(id: string): void {
      openComments.delete(id)
    },
    beginBox(state: string): void {
      box = state
    },
    /** Writes the state if no character followed. */
    endBox(): void {
      if (box !== undefined) addText(' ')
      box = undefined
    },
  }
}
export type DocxContext = ReturnType<typeof docxContext>

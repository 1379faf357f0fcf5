import { changeInnermost, handlersOf, type NamedHandlers } from '../shared/xml-steps.ts'
import type { DocxContext } from './context.ts'
import { isOn } from './is-on.ts'

type Field = {
  instruction: string
  hides: boolean
  checked?: boolean
  initial?: string
  result?: string
  readonly entries: string[]
}

const maxInstruction = 1000
const maxEntries = 200
const maxFields = 100
const pageNumber = /^\s*(?:PAGE|NUMPAGES|SECTIONPAGES)\b/i

/** Fields without a result: base text of annotated characters, text of a button. */
const baseText = /^\s*EQ\b.*\\o\s*\\a\w\s*\(\s*\\s\s*\\up\s*[\d.]+\s*\([^()]*\)\s*,([^()]*)\)/i
const buttonText = /^\s*(?:MACROBUTTON|GOTOBUTTON)\s+\S+\s+(.*)$/is
const equation = /^\s*EQ\b/i

/** Check boxes and drop-down lists have no result: their state is stored beside the instruction. */
export const fieldHandlers = (context: DocxContext): NamedHandlers => {
  const fields: Field[] = []
  const hidesResult = (instruction: string): boolean =>
    context.options.furniture === true && pageNumber.test(instruction)
  const change = changeInnermost(fields)
  const data = handlersOf({
    checked: change((field, value) => (field.checked = isOn(value))),
    default: change((field, value) => (field.initial = value ?? '')),
    result: change((field, value) => (field.result = value ?? '')),
    listEntry: change(({ entries }, value) => {
      if (entries.length < maxEntries) entries.push(value ?? '')
    }),
  })

  return {
    fldChar: (attribute) => {
      const type = attribute('fldCharType')
      if (type === 'begin' && fields.length < maxFields) fields.push({ instruction: '', hides: false, entries: [] })
      const field = fields.at(-1)
      if (type === 'separate' && field && !field.hides && hidesResult(field.instruction)) {
        field.hides = true
        context.hide(1)
      }
      if (type === 'end' && field) {
        fields.pop()
        endField(field, context)
      }
      return { children: data }
    },
    instrText: () => ({
      text: (text) => {
        const field = fields.at(-1)
        if (field && field.instruction.length < maxInstruction) field.instruction += text.slice(0, maxInstruction)
      },
    }),
    fldSimple: (attribute) => (hidesResult(attribute('instr') ?? '') ? 'skip' : undefined),
  }
}

const endField = ({ instruction, hides, checked, initial, result, entries }: Field, context: DocxContext): void => {
  if (hides) context.hide(-1)
  if (/FORMCHECKBOX/i.test(instruction))
    context.addText((checked ?? (initial !== undefined && isOn(initial))) ? '☒' : '☐')
  const text = (baseText.exec(instruction) ?? buttonText.exec(instruction))?.[1]
  if (text !== undefined) context.addText(text)
  else if (equation.test(instruction)) context.noteUnread('equation')
  if (/FORMDROPDOWN/i.test(instruction)) context.addText(entries[Number(result ?? initial ?? 0)] ?? '')
}

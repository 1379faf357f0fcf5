import type { Handler, Handlers } from '../shared/xml-steps.ts'
import type { DocxContext } from './context.ts'

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

export const isOn = (value: string | undefined): boolean => value !== '0' && value !== 'false' && value !== 'off'

/** Fields without a result: base text of annotated characters, text of a button. */
const baseText = /^\s*EQ\b.*\\o\s*\\a\w\s*\(\s*\\s\s*\\up\s*[\d.]+\s*\([^()]*\)\s*,([^()]*)\)/i
const buttonText = /^\s*(?:MACROBUTTON|GOTOBUTTON)\s+\S+\s+(.*)$/is
const equation = /^\s*EQ\b/i

/** Check boxes and drop-down lists have no result: their state is stored beside the instruction. */
export const fieldHandlers = ({ addText, hide, noteUnread, options }: DocxContext): [string, Handler][] => {
  const fields: Field[] = []
  const hidesResult = (instruction: string): boolean => options.furniture === true && pageNumber.test(instruction)
  const on =
    (act: (field: Field, value: string | undefined) => void): Handler =>
    (attribute) => {
      const field = fields.at(-1)
      if (field) act(field, attribute('val'))
      return undefined
    }
  const data: Handlers = new Map<string, Handler>([
    ['checked', on((field, value) => (field.checked = isOn(value)))],
    ['default', on((field, value) => (field.initial = value ?? ''))],
    ['result', on((field, value) => (field.result = value ?? ''))],
    [
      'listEntry',
      on(({ entries }, value) => {
        if (entries.length < maxEntries) entries.push(value ?? '')
      }),
    ],
  ])

  const end = ({ instruction, hides, checked, initial, result, entries }: Field): void => {
    if (hides) hide(-1)
    if (/FORMCHECKBOX/i.test(instruction)) addText((checked ?? (initial !== undefined && isOn(initial))) ? '☒' : '☐')
    const text = (baseText.exec(instruction) ?? buttonText.exec(instruction))?.[1]
    if (text !== undefined) addText(text)
    else if (equation.test(instruction)) noteUnread('equation')
    if (/FORMDROPDOWN/i.test(instruction)) addText(entries[Number(result ?? initial ?? 0)] ?? '')
  }

  return [
    [
      'fldChar',
      (attribute) => {
        const type = attribute('fldCharType')
        if (type === 'begin' && fields.length < maxFields) fields.push({ instruction: '', hides: false, entries: [] })
        const field = fields.at(-1)
        if (type === 'separate' && field && !field.hides && hidesResult(field.instruction)) {
          field.hides = true
          hide(1)
        }
        if (type === 'end') {
          const ended = fields.pop()
          if (ended) end(ended)
        }
        return { children: data }
      },
    ],
    [
      'instrText',
      () => ({
        text: (text) => {
          const field = fields.at(-1)
          if (field && field.instruction.length < maxInstruction) field.instruction += text.slice(0, maxInstruction)
        },
      }),
    ],
    ['fldSimple', (attribute) => (hidesResult(attribute('instr') ?? '') ? 'skip' : undefined)],
  ]
}

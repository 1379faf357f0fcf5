import { escapeAttribute } from '../shared/flow.ts'
import { mathText } from '../shared/math.ts'
import { withRaised } from '../shared/raised.ts'
import { type Handler, handlersOf, type NamedHandlers, on, skip } from '../shared/xml-steps.ts'
import type { DocxContext } from './context.ts'
import { isOn } from './is-on.ts'

const symbolFont = /symbol|wingdings|webdings|dingbats/i
const firstPrivate = 0xe000
const lastPrivate = 0xf8ff

export const runHandlers = (context: DocxContext): NamedHandlers => {
  let isRaised = false
  const properties = handlersOf({
    vertAlign: on((attribute) => {
      isRaised = attribute('val') === 'superscript'
    }),
    rPrChange: skip,
  })
  const addText = (text: string): void => {
    const plain = text.replace(/[\t\r\n]+/g, ' ')
    context.addText(isRaised ? withRaised(context.flow.text.slice(-8), plain) : plain)
  }
  const write = (text: string): Handler => on(() => context.addText(text))
  return {
    r: on(() => {
      isRaised = false
    }),
    rPr: () => ({ children: properties }),
    t: () => ({ text: addText }),
    tab: write('\t'),
    ptab: write('\t'),
    br: write('\n'),
    cr: write('\n'),
    noBreakHyphen: write('\u2011'),
    sym: on((attribute) => addSymbol(context, attribute('font') ?? '', attribute('char') ?? '')),
    ...mathHandlers(context),
    ...checkBoxHandlers(context),
  }
}

const addSymbol = (context: DocxContext, font: string, char: string): void => {
  const code = Number.parseInt(char, 16)
  const isText = code >= 0x20 && (code < firstPrivate || code > lastPrivate) && code <= 0xffff && !symbolFont.test(font)
  if (isText) context.addText(String.fromCodePoint(code))
  else context.addElement(`<w:sym w:font="${escapeAttribute(font)}" w:char="${escapeAttribute(char)}"/>`)
}

const mathHandlers = (context: DocxContext): NamedHandlers => {
  let seenAfterLast = 0
  const add = (text: string, isParagraph: boolean): void => {
    // Adjacent equations have nothing between them in the file.
    const space = seenAfterLast === context.seen && seenAfterLast > 0 ? ' ' : ''
    if (text !== '') context.addText(isParagraph ? `\n${text}\n` : `${space}${text}`)
    seenAfterLast = context.seen
  }
  const math =
    (isParagraph: boolean): Handler =>
    () => {
      const equation = mathText()
      return { reader: equation.handler, end: () => add(equation.text(), isParagraph) }
    }
  return { oMath: math(false), oMathPara: math(true) }
}

/** Check boxes of content controls. */
const checkBoxHandlers = (context: DocxContext): NamedHandlers => {
  const controls: { box?: string }[] = []
  const properties = handlersOf({
    checkbox: on(() => Object.assign(controls.at(-1) ?? {}, { box: '☐' })),
    checked: on((attribute) => {
      const control = controls.at(-1)
      if (control?.box && isOn(attribute('val'))) control.box = '☒'
    }),
  })
  return {
    sdt: () => {
      controls.push({})
      return { end: () => controls.pop() }
    },
    sdtPr: () => ({ children: properties }),
    sdtContent: () => {
      const box = controls.at(-1)?.box
      if (box === undefined) return undefined
      context.beginBox(box)
      return { end: () => context.endBox() }
    },
  }
}

import { escapeAttribute } from '../shared/flow.ts'
import { mathText } from '../shared/math.ts'
import { withRaised } from '../shared/raised.ts'
import type { XmlHandler } from '../shared/xml-scan.ts'
import { type Attribute, alternativeHandlers, type Handler, type Handlers, xmlSteps } from '../shared/xml-steps.ts'
import { type DocxShared, docxContext, type PartOptions } from './context.ts'
import { drawingHandlers } from './drawings.ts'
import { fieldHandlers, isOn } from './fields.ts'
import { tableHandlers } from './table-steps.ts'

const skip: Handler = () => 'skip'

const symbolFont = /symbol|wingdings|webdings|dingbats/i
const firstPrivate = 0xe000
const lastPrivate = 0xf8ff

/** Content that mammoth does not support becomes text, including list numbers. Holds the output, and one tag. */
export const docxRewriter = (shared: DocxShared, part: PartOptions = {}) => {
  const context = docxContext(shared, part)
  const { flow, addText, addElement, noteUnread, seen } = context
  let hasBody = false

  const write =
    (text: string): Handler =>
    () => {
      addText(text)
      return undefined
    }
  const note =
    (kind: Parameters<typeof noteUnread>[0]): Handler =>
    () => {
      noteUnread(kind)
      return undefined
    }

  const alternatives = alternativeHandlers(seen)

  const set =
    (key: 'styleId' | 'numId' | 'ilvl'): Handler =>
    (attribute) => {
      const properties = flow.properties()
      const value = attribute('val')
      if (properties && value !== undefined) properties[key] = value
      return undefined
    }
  const joins: Handler = () => {
    const properties = flow.properties()
    if (properties) properties.joins = true
    return undefined
  }
  const markProperties: Handlers = new Map<string, Handler>([
    ['del', joins],
    ['moveFrom', joins],
    ['rPrChange', skip],
  ])
  const paragraphProperties: Handlers = new Map<string, Handler>([
    ['pStyle', set('styleId')],
    ['numId', set('numId')],
    ['ilvl', set('ilvl')],
    [
      'outlineLvl',
      (attribute) => {
        const properties = flow.properties()
        const level = Number(attribute('val'))
        if (properties && Number.isInteger(level) && level >= 0) properties.outline = level
        return undefined
      },
    ],
    [
      'framePr',
      (attribute) => (['drop', 'margin'].includes(attribute('dropCap') ?? '') ? joins(attribute) : undefined),
    ],
    ['rPr', () => ({ children: markProperties })],
    ['pPrChange', skip],
    ['numberingChange', skip],
    ['sectPr', skip],
  ])

  const controls: { box?: string }[] = []
  const controlProperties: Handlers = new Map<string, Handler>([
    [
      'checkbox',
      () => {
        const control = controls.at(-1)
        if (control) control.box = '☐'
        return undefined
      },
    ],
    [
      'checked',
      (attribute) => {
        const control = controls.at(-1)
        if (control?.box && isOn(attribute('val'))) control.box = '☒'
        return undefined
      },
    ],
  ])

  let isRaised = false
  const runProperties: Handlers = new Map<string, Handler>([
    [
      'vertAlign',
      (attribute) => {
        isRaised = attribute('val') === 'superscript'
        return undefined
      },
    ],
    ['rPrChange', skip],
  ])
  const addRun = (text: string): void => {
    const plain = text.replace(/[\t\r\n]+/g, ' ')
    addText(isRaised ? withRaised(flow.text().slice(-8), plain) : plain)
  }

  let wroteMath = 0
  const math =
    (isParagraph: boolean): Handler =>
    () => {
      const equation = mathText()
      return {
        reader: equation.handler,
        end: () => {
          const text = equation.text()
          // Adjacent equations have nothing between them in the file.
          const space = wroteMath === seen() && wroteMath > 0 ? ' ' : ''
          if (text !== '') addText(isParagraph ? `\n${text}\n` : `${space}${text}`)
          wroteMath = seen()
        },
      }
    }

  const reference =
    (name: string): Handler =>
    (attribute) => {
      addElement(`<w:${name} w:id="${escapeAttribute(attribute('id') ?? '')}"/>`)
      return undefined
    }
  const ownText =
    (name: string, more: (attribute: Attribute) => string): Handler =>
    (attribute) => {
      flow.write(`<w:${name} w:id="${escapeAttribute(attribute('id') ?? '')}"${more(attribute)}>`)
      flow.beginFrame()
      return {
        end: () => {
          flow.endFrame()
          flow.write(`</w:${name}>`)
        },
      }
    }
  const typeOf = (attribute: Attribute): string => ` w:type="${escapeAttribute(attribute('type') ?? 'normal')}"`

  const symbol: Handler = (attribute) => {
    const [font, char] = [attribute('font') ?? '', attribute('char') ?? '']
    const code = Number.parseInt(char, 16)
    const isText =
      code >= 0x20 && (code < firstPrivate || code > lastPrivate) && code <= 0xffff && !symbolFont.test(font)
    if (isText) addText(String.fromCodePoint(code))
    else addElement(`<w:sym w:font="${escapeAttribute(font)}" w:char="${escapeAttribute(char)}"/>`)
    return undefined
  }

  const content = new Map<string, Handler>([
    ...alternatives,
    ...fieldHandlers(context),
    ...tableHandlers(context),
    [
      'body',
      () => {
        hasBody = true
        return undefined
      },
    ],
    [
      'p',
      () => {
        flow.beginParagraph()
        return { end: context.endParagraph }
      },
    ],
    ['pPr', () => ({ children: paragraphProperties, end: flow.endProperties })],
    ['t', () => ({ text: addRun })],
    [
      'r',
      () => {
        isRaised = false
        return undefined
      },
    ],
    ['rPr', () => ({ children: runProperties })],
    ['tab', write('\t')],
    ['ptab', write('\t')],
    ['br', write('\n')],
    ['cr', write('\n')],
    ['noBreakHyphen', write('\u2011')],
    ['sym', symbol],
    ['oMath', math(false)],
    ['oMathPara', math(true)],
    [
      'sdt',
      () => {
        controls.push({})
        return { end: () => controls.pop() }
      },
    ],
    ['sdtPr', () => ({ children: controlProperties })],
    [
      'sdtContent',
      () => {
        const box = controls.at(-1)?.box
        if (box === undefined) return undefined
        context.beginBox(box)
        return { end: context.endBox }
      },
    ],
    ['footnoteReference', reference('footnoteReference')],
    ['endnoteReference', reference('endnoteReference')],
    ['footnote', ownText('footnote', typeOf)],
    ['endnote', ownText('endnote', typeOf)],
    ['comment', ownText('comment', (attribute) => ` w:author="${escapeAttribute(attribute('author') ?? '')}"`)],
    [
      'commentRangeStart',
      (attribute) => {
        context.beginComment(attribute('id') ?? '')
        return undefined
      },
    ],
    [
      'commentRangeEnd',
      (attribute) => {
        context.endComment(attribute('id') ?? '')
        return undefined
      },
    ],
    ['altChunk', note('import')],
    ['subDoc', note('subdocument')],
    ['contentPart', note('ink')],
    // Readings of annotated characters (`rt`) would split the words they annotate.
    ...[
      'del',
      'moveFrom',
      'rt',
      'rubyPr',
      'sectPr',
      'sdtEndPr',
      'smartTagPr',
      'customXmlPr',
      'delText',
      'delInstrText',
      'fldData',
    ].map((name) => [name, skip] as const),
  ])
  for (const [name, handler] of drawingHandlers(context, content, alternatives)) content.set(name, handler)

  const handler: XmlHandler = xmlSteps(content)
  return {
    handler,
    end: (): string => flow.end(),
    hasBody: (): boolean => hasBody,
  }
}

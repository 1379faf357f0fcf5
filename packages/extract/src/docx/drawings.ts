import { pictureText } from '../shared/picture-text.ts'
import type { Handler, Handlers } from '../shared/xml-steps.ts'
import type { DocxContext } from './context.ts'

type Drawing = {
  readonly descriptions: Set<string>
  readonly seenBefore: number
  hasPicture: boolean
  hasTextBox: boolean
  isDecorative: boolean
  isObject: boolean
}

const maxDescriptions = 50

/**
 * Handles pictures and shapes of DrawingML (`drawing`) and VML (`pict`, `object`). A description replaces its picture;
 * text boxes, read by the handlers `content`, follow the paragraph.
 */
export const drawingHandlers = (
  { flow, addText, addAfter, addTable, noteUnread, seen, options }: DocxContext,
  content: Handlers,
  alternatives: readonly (readonly [string, Handler])[],
): [string, Handler][] => {
  const drawings: Drawing[] = []

  const describe = (description: string | undefined): void => {
    const drawing = drawings.at(-1)
    const text = pictureText(description)
    if (drawing && text && drawing.descriptions.size < maxDescriptions) drawing.descriptions.add(text)
  }
  const change =
    (act: (drawing: Drawing) => void): Handler =>
    () => {
      const drawing = drawings.at(-1)
      if (drawing) act(drawing)
      return undefined
    }

  const end = (): void => {
    const drawing = drawings.pop()
    if (!drawing) return
    const { descriptions, hasPicture, hasTextBox, isDecorative, isObject, seenBefore } = drawing
    // A text box with text needs no description.
    if (descriptions.size > 0 && (hasPicture || !hasTextBox || seen() === seenBefore)) {
      const space = flow.followsText() ? ' ' : ''
      for (const description of descriptions) addText(`${space}${description}`)
    } else if (hasPicture && !isDecorative && !isObject) noteUnread('picture')
  }

  const textBox: Handler = () => {
    const drawing = drawings.at(-1)
    if (drawing) drawing.hasTextBox = true
    flow.beginFrame()
    return { children: content, end: flow.endFrame }
  }
  const describedBy: Handler = (attribute) => {
    describe(attribute('descr') || attribute('title'))
    return undefined
  }
  const describedShape: Handler = (attribute) => {
    describe(attribute('alt'))
    return undefined
  }

  const within: Handlers = new Map<string, Handler>([
    ...alternatives,
    ['txbxContent', textBox],
    ['docPr', describedBy],
    ['cNvPr', describedBy],
    [
      'decorative',
      (attribute) => {
        const drawing = drawings.at(-1)
        if (drawing && attribute('val') !== '0') drawing.isDecorative = true
        return undefined
      },
    ],
    ['pic', change((drawing) => (drawing.hasPicture = true))],
    [
      'chart',
      (attribute) => {
        const chart = options.charts?.get(attribute('id') ?? '')
        if (chart) {
          addAfter(chart.title)
          addTable(chart.rows)
        } else noteUnread('chart')
        return undefined
      },
    ],
    [
      'relIds',
      (attribute) => {
        const texts = options.diagrams?.get(attribute('dm') ?? '')
        if (texts) for (const text of texts) addAfter(text)
        else noteUnread('diagram')
        return undefined
      },
    ],
    // Text outside of Word's text boxes, such as in a drawing canvas.
    [
      'p',
      () => {
        flow.beginFrame()
        return { end: flow.endFrame }
      },
    ],
    ['t', () => ({ text: addText })],
    ...['shape', 'rect', 'roundrect', 'oval', 'line', 'group', 'polyline'].map(
      (name) => [name, describedShape] as const,
    ),
    [
      'imagedata',
      (attribute) => {
        describe(attribute('title'))
        return change((drawing) => (drawing.hasPicture = true))(attribute)
      },
    ],
    [
      'textpath',
      (attribute) => {
        addAfter(attribute('string') ?? '')
        return undefined
      },
    ],
    [
      'OLEObject',
      (attribute) => {
        noteUnread('object')
        return change((drawing) => (drawing.isObject = true))(attribute)
      },
    ],
    [
      'control',
      (attribute) => {
        noteUnread('control')
        return change((drawing) => (drawing.isObject = true))(attribute)
      },
    ],
  ])

  const begin: Handler = () => {
    drawings.push({
      descriptions: new Set(),
      seenBefore: seen(),
      hasPicture: false,
      hasTextBox: false,
      isDecorative: false,
      isObject: false,
    })
    return { children: within, end }
  }
  return [
    ['drawing', begin],
    ['pict', begin],
    ['object', begin],
    ['txbxContent', textBox],
  ]
}

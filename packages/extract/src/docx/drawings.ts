import { pictureText } from '../shared/picture-text.ts'
import {
  type Attribute,
  type Handler,
  type Handlers,
  handleEach,
  handlersOf,
  type NamedHandlers,
  on,
} from '../shared/xml-steps.ts'
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
  context: DocxContext,
  content: () => Handlers,
  alternatives: NamedHandlers,
): NamedHandlers => {
  const drawings = new Drawings(context)
  const { flow } = context
  const textBox: Handler = () => {
    drawings.change({ hasTextBox: true })
    flow.beginFrame()
    return { children: content(), end: () => flow.endFrame() }
  }
  const children = handlersOf({
    ...alternatives,
    txbxContent: textBox,
    ...descriptionHandlers(drawings),
    ...outsideHandlers(context),
    ...unreadHandlers(context, drawings),
  })
  const begin: Handler = () => {
    drawings.begin()
    return { children, end: () => drawings.end() }
  }
  return { drawing: begin, pict: begin, object: begin, txbxContent: textBox }
}

/** Enclosing drawings; the last one is read. */
class Drawings {
  readonly #context: DocxContext
  readonly #open: Drawing[] = []

  constructor(context: DocxContext) {
    this.#context = context
  }

  begin(): void {
    this.#open.push({
      descriptions: new Set(),
      seenBefore: this.#context.seen,
      hasPicture: false,
      hasTextBox: false,
      isDecorative: false,
      isObject: false,
    })
  }

  change(facts: Partial<Drawing>): void {
    Object.assign(this.#open.at(-1) ?? {}, facts)
  }

  describe(description: string | undefined): void {
    const descriptions = this.#open.at(-1)?.descriptions
    const text = pictureText(description)
    if (descriptions && text && descriptions.size < maxDescriptions) descriptions.add(text)
  }

  end(): void {
    const drawing = this.#open.pop()
    if (!drawing) return
    const { descriptions, hasPicture, hasTextBox, isDecorative, isObject, seenBefore } = drawing
    // A text box with text needs no description.
    if (descriptions.size > 0 && (hasPicture || !hasTextBox || this.#context.seen === seenBefore)) {
      const space = this.#context.flow.followsText ? ' ' : ''
      for (const description of descriptions) this.#context.addText(`${space}${description}`)
    } else if (hasPicture && !isDecorative && !isObject) this.#context.noteUnread('picture')
  }
}

const descriptionHandlers = (drawings: Drawings): NamedHandlers => {
  const describe = (attribute: Attribute): void => drawings.describe(attribute('descr') || attribute('title'))
  return {
    docPr: on(describe),
    cNvPr: on(describe),
    ...handleEach(
      ['shape', 'rect', 'roundrect', 'oval', 'line', 'group', 'polyline'],
      on((attribute) => drawings.describe(attribute('alt'))),
    ),
    pic: on(() => drawings.change({ hasPicture: true })),
    imagedata: on((attribute) => {
      drawings.describe(attribute('title'))
      drawings.change({ hasPicture: true })
    }),
    decorative: on((attribute) => {
      if (attribute('val') !== '0') drawings.change({ isDecorative: true })
    }),
  }
}

/** Text outside of Word's text boxes, such as in a drawing canvas. */
const outsideHandlers = (context: DocxContext): NamedHandlers => ({
  p: () => {
    context.flow.beginFrame()
    return { end: () => context.flow.endFrame() }
  },
  t: () => ({ text: (text) => context.addText(text) }),
  textpath: on((attribute) => context.addAfter(attribute('string') ?? '')),
})

const unreadHandlers = (context: DocxContext, drawings: Drawings): NamedHandlers => {
  const object = (kind: 'object' | 'control'): Handler =>
    on(() => {
      context.noteUnread(kind)
      drawings.change({ isObject: true })
    })
  return {
    chart: on((attribute) => {
      const chart = context.options.charts?.get(attribute('id') ?? '')
      if (!chart) return context.noteUnread('chart')
      context.addAfter(chart.title)
      context.addTable(chart.rows)
    }),
    relIds: on((attribute) => {
      const texts = context.options.diagrams?.get(attribute('dm') ?? '')
      if (!texts) return context.noteUnread('diagram')
      for (const text of texts) context.addAfter(text)
    }),
    OLEObject: object('object'),
    control: object('control'),
  }
}

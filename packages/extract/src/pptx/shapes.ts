import type { Chart } from '../shared/charts.ts'
import type { NotReadKind } from '../shared/not-read.ts'
import { pictureText } from '../shared/picture-text.ts'
import {
  type Attribute,
  alternativeHandlers,
  type Handler,
  handleEach,
  handlersOf,
  type NamedHandlers,
  on,
  skip,
  xmlSteps,
} from '../shared/xml-steps.ts'
import { unreadable } from '../unreadable.ts'
import { type Box, newShape, type Shape } from './shape.ts'
import { tableHandlers } from './table-steps.ts'
import { textHandlers } from './text-steps.ts'

export type ShapeContext = {
  /** By relation id, as `diagrams` and `charts`. */
  readonly addresses?: ReadonlyMap<string, string>
  readonly diagrams?: ReadonlyMap<string, readonly string[]>
  readonly charts?: ReadonlyMap<string, Chart>
  readonly noteUnread?: (kind: NotReadKind) => void
}

/** UTF-16 units of one slide; each element counts as `elementUnits`. */
const maxUnits = 16 * 1024 * 1024
const elementUnits = 50

const emptyBox: Box = { x0: 0, y0: 0, x1: 0, y1: 0 }
const numberOf = (value: string | undefined): number => Number.parseInt(value ?? '', 10) || 0
const corner = (box: Box, attribute: Attribute): Box => {
  const [x0, y0] = [numberOf(attribute('x')), numberOf(attribute('y'))]
  return { x0, y0, x1: x0 + box.x1 - box.x0, y1: y0 + box.y1 - box.y0 }
}
const sized = ({ x0, y0 }: Box, attribute: Attribute): Box => ({
  x0,
  y0,
  x1: x0 + numberOf(attribute('cx')),
  y1: y0 + numberOf(attribute('cy')),
})

/** Reads a slide, its notes, a layout or a master. Holds the part as a tree of shapes. */
export const shapeReader = (context: ShapeContext = {}) => {
  const { addresses = new Map() } = context
  const tree = new ShapeTree(context)
  let isHidden = false
  const handlers = handlersOf({
    ...alternativeHandlers(() => tree.seen),
    ...textOfShape(tree, addresses),
    ...shapeHandlers(tree, addresses),
    ...placeHandlers(tree),
    ...contentHandlers(tree, context),
    sld: on((attribute) => {
      isHidden = /^(?:0|false)$/.test(attribute('show') ?? '')
    }),
    ...handleEach(['timing', 'transition', 'txStyles'], skip),
  })
  return { handler: xmlSteps(handlers), shapes: tree.shapes, isHidden: (): boolean => isHidden }
}

class ShapeTree {
  readonly #root = newShape()
  readonly #open: Shape[] = [this.#root]
  readonly #noteUnread: ShapeContext['noteUnread']
  #units = 0
  /** Grows with everything that is read or noted. */
  seen = 0

  constructor({ noteUnread }: ShapeContext) {
    this.#noteUnread = noteUnread
  }

  get shapes(): readonly Shape[] {
    return this.#root.children
  }

  /** The innermost open shape. */
  get shape(): Shape {
    return this.#open[this.#open.length - 1] as Shape
  }

  begin(): Shape {
    this.hold(elementUnits)
    const shape = newShape()
    this.#open.push(shape)
    return shape
  }

  end(begun: Shape): void {
    this.#open.pop()
    this.shape.children.push(begun)
  }

  hold(units: number): void {
    this.#units += units
    if (this.#units > maxUnits)
      throw unreadable('too_large_to_process', 'A slide has more text and shapes than fits into memory.')
  }

  note(kind: NotReadKind): void {
    this.seen++
    this.#noteUnread?.(kind)
  }
}

const textOfShape = (tree: ShapeTree, addresses: ReadonlyMap<string, string>): NamedHandlers => {
  let inText = false
  const table = tableHandlers(
    (read) => (tree.shape.table = read),
    (units) => tree.hold(units),
  )
  const text = textHandlers({
    paragraphs: () => table.paragraphs() ?? (inText ? tree.shape.paragraphs : undefined),
    bullets: () => (table.paragraphs() ? undefined : tree.shape.bullets),
    addresses,
    hold: (more) => {
      tree.hold(more === '' ? elementUnits : more.length)
      if (/\S/.test(more)) tree.seen++
    },
  })
  return {
    ...text,
    ...table.handlers,
    txBody: () => {
      inText = true
      return { end: () => (inText = false) }
    },
  }
}

const shapeHandlers = (tree: ShapeTree, addresses: ReadonlyMap<string, string>): NamedHandlers => {
  let isMedia = false
  let isDecorative = false
  const begin =
    (onEnd?: (shape: Shape) => void): Handler =>
    () => {
      const begun = tree.begin()
      isMedia = isDecorative = false
      return {
        end: () => {
          onEnd?.(begun)
          tree.end(begun)
        },
      }
    }
  const endPicture = ({ picture }: Shape): void => {
    if (isMedia) tree.note('media')
    else if (picture === undefined && !isDecorative) tree.note('picture')
  }
  const ofShape = handlersOf({
    decorative: on((attribute) => (isDecorative = attribute('val') !== '0')),
    hlinkClick: on((attribute) => {
      const address = addresses.get(attribute('r:id') ?? '')
      if (address !== undefined) tree.shape.address = address
    }),
  })
  return {
    ...handleEach(['sp', 'cxnSp', 'grpSp', 'graphicFrame'], begin()),
    pic: begin(endPicture),
    ...handleEach(
      ['videoFile', 'audioFile', 'wavAudioFile', 'quickTimeFile'],
      on(() => (isMedia = true)),
    ),
    cNvPr: (attribute) => {
      const picture = pictureText(attribute('descr') || attribute('title'))
      if (picture !== undefined) {
        tree.shape.picture = picture
        tree.hold(picture.length)
        tree.seen++
      }
      if (/^(?:1|true)$/.test(attribute('hidden') ?? '')) tree.shape.isHidden = true
      return { children: ofShape }
    },
  }
}

const placeHandlers = (tree: ShapeTree): NamedHandlers => ({
  ph: on((attribute) => {
    tree.shape.placeholder = { type: attribute('type') ?? 'obj', index: attribute('idx') ?? '' }
  }),
  /** Shapes of a group have positions in the group's own space, so they are compared only with each other. */
  xfrm: () => {
    let box = emptyBox
    const children = handlersOf({
      off: on((attribute) => (box = corner(box, attribute))),
      ext: on((attribute) => (box = sized(box, attribute))),
    })
    return { children, end: () => (tree.shape.box = box) }
  },
})

const contentHandlers = (tree: ShapeTree, { charts, diagrams }: ShapeContext): NamedHandlers => {
  const unread =
    (kind: NotReadKind): Handler =>
    () => {
      tree.note(kind)
      return 'skip'
    }
  return {
    chart: on((attribute) => {
      const chart = charts?.get(attribute('r:id') ?? '')
      if (!chart) return tree.note('chart')
      tree.seen++
      tree.hold(chart.title.length + chart.rows.flat().length * elementUnits)
      tree.shape.paragraphs.push({ text: chart.title, level: 0, bullet: { kind: 'none' } })
      tree.shape.chart = chart.rows
    }),
    relIds: on((attribute) => {
      const texts = diagrams?.get(attribute('r:dm') ?? attribute('dm') ?? '')
      if (!texts) return tree.note('diagram')
      tree.seen++
      for (const line of texts) {
        tree.hold(line.length + elementUnits)
        tree.shape.paragraphs.push({ text: line, level: 0, bullet: { kind: 'sign' } })
      }
    }),
    oleObj: unread('object'),
    contentPart: unread('ink'),
    control: unread('control'),
  }
}

import type { Chart } from '../shared/charts.ts'
import type { NotReadKind } from '../shared/not-read.ts'
import { pictureText } from '../shared/picture-text.ts'
import type { XmlHandler } from '../shared/xml-scan.ts'
import { type Attribute, alternativeHandlers, type Handler, type Handlers, xmlSteps } from '../shared/xml-steps.ts'
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
export const shapeReader = ({ addresses = new Map(), diagrams, charts, noteUnread }: ShapeContext = {}) => {
  const root = newShape()
  const open: Shape[] = [root]
  let isHidden = false
  let isMedia = false
  let isDecorative = false
  let inText = false
  let seen = 0
  let units = 0
  const shape = (): Shape => open[open.length - 1] as Shape

  const hold = (more: number): void => {
    units += more
    if (units > maxUnits)
      throw unreadable('too_large_to_process', 'A slide has more text and shapes than fits into memory.')
  }
  const note = (kind: NotReadKind): void => {
    seen++
    noteUnread?.(kind)
  }
  const noted =
    (kind: NotReadKind): Handler =>
    () => {
      note(kind)
      return 'skip'
    }
  const on =
    (act: (shape: Shape, attribute: Attribute) => unknown): Handler =>
    (attribute) => {
      act(shape(), attribute)
      return undefined
    }

  const begin =
    (onEnd?: (shape: Shape) => void): Handler =>
    () => {
      hold(elementUnits)
      const begun = newShape()
      open.push(begun)
      isMedia = isDecorative = false
      return {
        end: () => {
          onEnd?.(begun)
          open.pop()
          shape().children.push(begun)
        },
      }
    }
  const endPicture = ({ picture }: Shape): void => {
    if (isMedia) note('media')
    else if (picture === undefined && !isDecorative) note('picture')
  }

  /** Shapes of a group have positions in the group's own space, so they are compared only with each other. */
  const transform: Handler = () => {
    let box = emptyBox
    const children: Handlers = new Map<string, Handler>([
      ['off', on((_, attribute) => (box = corner(box, attribute)))],
      ['ext', on((_, attribute) => (box = sized(box, attribute)))],
    ])
    return { children, end: () => (shape().box = box) }
  }

  const ofShape: Handlers = new Map<string, Handler>([
    ['decorative', on((_, attribute) => (isDecorative = attribute('val') !== '0'))],
    [
      'hlinkClick',
      on((current, attribute) => {
        const address = addresses.get(attribute('r:id') ?? '')
        if (address !== undefined) current.address = address
      }),
    ],
  ])
  const table = tableHandlers((read) => (shape().table = read), hold)
  const text = textHandlers({
    paragraphs: () => table.paragraphs() ?? (inText ? shape().paragraphs : undefined),
    bullets: () => (table.paragraphs() ? undefined : shape().bullets),
    addresses,
    hold: (more) => {
      hold(more === '' ? elementUnits : more.length)
      if (/\S/.test(more)) seen++
    },
  })

  const handlers = new Map<string, Handler>([
    ...alternativeHandlers(() => seen),
    ...text,
    ...table.handlers,
    ['sld', on((_, attribute) => (isHidden = /^(?:0|false)$/.test(attribute('show') ?? '')))],
    ['sp', begin()],
    ['cxnSp', begin()],
    ['grpSp', begin()],
    ['graphicFrame', begin()],
    ['pic', begin(endPicture)],
    [
      'cNvPr',
      (attribute) => {
        const picture = pictureText(attribute('descr') || attribute('title'))
        if (picture !== undefined) {
          shape().picture = picture
          hold(picture.length)
          seen++
        }
        if (/^(?:1|true)$/.test(attribute('hidden') ?? '')) shape().isHidden = true
        return { children: ofShape }
      },
    ],
    ...['videoFile', 'audioFile', 'wavAudioFile', 'quickTimeFile'].map((name): [string, Handler] => [
      name,
      on(() => (isMedia = true)),
    ]),
    [
      'ph',
      on((current, attribute) => {
        current.placeholder = { type: attribute('type') ?? 'obj', index: attribute('idx') ?? '' }
      }),
    ],
    ['xfrm', transform],
    [
      'txBody',
      () => {
        inText = true
        return { end: () => (inText = false) }
      },
    ],
    [
      'chart',
      on((current, attribute) => {
        const chart = charts?.get(attribute('r:id') ?? '')
        if (!chart) return note('chart')
        seen++
        hold(chart.title.length + chart.rows.flat().length * elementUnits)
        current.paragraphs.push({ text: chart.title, level: 0, bullet: { kind: 'none' } })
        current.chart = chart.rows
      }),
    ],
    ['oleObj', noted('object')],
    ['contentPart', noted('ink')],
    ['control', noted('control')],
    [
      'relIds',
      on(({ paragraphs }, attribute) => {
        const texts = diagrams?.get(attribute('r:dm') ?? attribute('dm') ?? '')
        if (!texts) return note('diagram')
        seen++
        for (const line of texts) {
          hold(line.length + elementUnits)
          paragraphs.push({ text: line, level: 0, bullet: { kind: 'sign' } })
        }
      }),
    ],
    ...['timing', 'transition', 'txStyles'].map((name): [string, Handler] => [name, () => 'skip']),
  ])
  const handler: XmlHandler = xmlSteps(handlers)
  return { handler, shapes: root.children, isHidden: (): boolean => isHidden }
}

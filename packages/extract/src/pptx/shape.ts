import type { Chart } from '../shared/charts.ts'
import type { Element } from '../shared/document.ts'

export type Box = { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }

/** Sign before a paragraph; `numbered` has its format and first number. */
export type Bullet =
  | { readonly kind: 'none' | 'sign' }
  | { readonly kind: 'numbered'; readonly format: string; readonly first: number }

export type Paragraph = { text: string; level: number; bullet?: Bullet }

/** Bullets by level, from 0. */
export type Bullets = Map<number, Bullet>

/** Identifies the layout placeholder that a shape fills. */
export type Placeholder = { readonly type: string; readonly index: string }

/** A shape of a slide, or of its layout, in the order of the file. */
export type Shape = {
  placeholder?: Placeholder
  /** Position on the slide. A placeholder without a position has the layout's. */
  box?: Box
  isHidden: boolean
  readonly paragraphs: Paragraph[]
  readonly bullets: Bullets
  table?: Element
  /** Values of a chart, below the names of its series. */
  chart?: Chart['rows']
  /** Description of a picture, as text. */
  picture?: string
  /** Address of a link on the whole shape. */
  address?: string
  /** Shapes of the group, if the shape is a group. */
  readonly children: Shape[]
}

export const newShape = (): Shape => ({ isHidden: false, paragraphs: [], bullets: new Map(), children: [] })

export const isTitle = ({ placeholder }: Shape): boolean => /^(?:title|ctrTitle)$/.test(placeholder?.type ?? '')

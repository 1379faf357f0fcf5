import type { Chart } from '../shared/charts.ts'
import type { Element } from '../shared/document.ts'

export type Box = { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number }

export type Bullet =
  | { readonly kind: 'none' | 'sign' }
  | { readonly kind: 'numbered'; readonly format: string; readonly first: number }

export type Paragraph = { text: string; level: number; bullet?: Bullet }

/** From level 0. */
export type Bullets = Map<number, Bullet>

export type Placeholder = { readonly type: string; readonly index: string }

export type Shape = {
  placeholder?: Placeholder
  /** A placeholder without a position has the layout's. */
  box?: Box
  isHidden: boolean
  readonly paragraphs: Paragraph[]
  readonly bullets: Bullets
  table?: Element
  /** Values below the names of the series. */
  chart?: Chart['rows']
  picture?: string
  /** Link on the whole shape. */
  address?: string
  readonly children: Shape[]
}

export const newShape = (): Shape => ({ isHidden: false, paragraphs: [], bullets: new Map(), children: [] })

export const isTitle = ({ placeholder }: Shape): boolean => /^(?:title|ctrTitle)$/.test(placeholder?.type ?? '')

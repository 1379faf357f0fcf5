import { h, type VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Piece } from './highlight.ts'
import { parseMarkdown } from './markdown.ts'
import type { Node, Part } from './markdown-inline.ts'

const Marked = ({ text, kind }: Piece) => {
  if (kind === 'cut') return <span class="muted cut">…</span>
  if (kind === 'marked') return <mark>{text}</mark>
  if (kind !== 'word') return <span>{text}</span>
  return (
    <mark>
      <strong>{text}</strong>
    </mark>
  )
}

const piecesOf = (part: Part, pieces: readonly Piece[]): readonly Piece[] => {
  let at = part.start
  return pieces.flatMap((piece) => {
    const text = piece.text.slice(Math.max(0, at), Math.max(0, at + part.text.length))
    at -= piece.text.length
    return text === '' ? [] : [{ ...piece, text }]
  })
}

/** The header of a table is no reason to show the table. */
const isShown = (node: Node, pieces: readonly Piece[]): boolean =>
  'tag' in node
    ? node.tag !== 'thead' && node.children.some((child) => isShown(child, pieces))
    : piecesOf(node, pieces).some(({ kind }) => kind !== 'cut')

const render = (nodes: readonly Node[], pieces: readonly Piece[]): VNode[] =>
  nodes.flatMap((node, key) => {
    if (!('tag' in node)) return piecesOf(node, pieces).map((piece, at) => <Marked key={`${key} ${at}`} {...piece} />)
    const { tag, props, children } = node
    if (tag !== 'thead' && pieces.some(({ kind }) => kind === 'cut') && !isShown(node, pieces)) return []
    // A row is shown whole, with the names of the columns.
    const isWhole = tag === 'tr' || tag === 'thead'
    const shown = pieces.map((each): Piece => (isWhole && each.kind === 'cut' ? { ...each, kind: 'plain' } : each))
    const link = tag === 'a' && { target: '_blank', rel: 'noreferrer' }
    return h(tag, { ...props, ...link, key }, render(children, shown))
  })

/** Renders elements, never HTML. */
export const MarkedText = ({ pieces }: { readonly pieces: readonly Piece[] }) => {
  const whole = pieces.map(({ text }) => text).join('')
  // The page is rendered at each key press in the query.
  const nodes = useMemo(() => parseMarkdown(whole), [whole])
  return <div class="rendered">{render(nodes, pieces)}</div>
}

export type Range = { readonly start: number; readonly end: number }
export type Piece = { readonly text: string; readonly isMarked: boolean }

/** Cuts a text at the ranges, which count Unicode code points as the API does, not the UTF-16 units of strings. */
export const cutAtRanges = (text: string, ranges: readonly Range[]): readonly Piece[] => {
  const points = Array.from(text)
  const pieces: Piece[] = []
  let from = 0
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const begin = Math.max(start, from)
    if (end <= begin) continue
    if (begin > from) pieces.push({ text: points.slice(from, begin).join(''), isMarked: false })
    pieces.push({ text: points.slice(begin, end).join(''), isMarked: true })
    from = end
  }
  if (from < points.length) pieces.push({ text: points.slice(from).join(''), isMarked: false })
  return pieces
}

/** Shortens what is not marked: of a long text the marked passage is shown with a little before and after it. */
export const shorten = (pieces: readonly Piece[], around = 160): readonly Piece[] => {
  if (!pieces.some(({ isMarked }) => isMarked)) {
    const [only] = pieces
    return only && only.text.length > 600 ? [{ ...only, text: `${only.text.slice(0, 600)}…` }] : pieces
  }
  return pieces.map((piece, index) => {
    if (piece.isMarked || piece.text.length <= around * 2) return piece
    const before = index === 0 ? '…' : `${piece.text.slice(0, around)}…`
    const after = index === pieces.length - 1 ? '' : piece.text.slice(-around)
    return { ...piece, text: index === 0 ? `${before}${after}` : before + after }
  })
}

import type { Piece } from './highlight.ts'

const Marked = ({ text, kind }: Piece) => {
  if (kind === 'marked') return <mark>{text}</mark>
  if (kind !== 'word') return <span>{text}</span>
  return (
    <mark>
      <strong>{text}</strong>
    </mark>
  )
}

export const MarkedText = ({ pieces }: { readonly pieces: readonly Piece[] }) => (
  <>
    {pieces.map((piece, index) => (
      <Marked key={String(index)} {...piece} />
    ))}
  </>
)

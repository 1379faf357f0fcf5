/** Returns the position after the last line end in the second half of the text, else the text's end. */
const cutPoint = (text: string): number => {
  const lineEnd = text.lastIndexOf('\n') + 1
  return lineEnd > text.length / 2 ? lineEnd : text.length
}

/**
 * Cuts a text into pieces of at most `limit` Unicode code points, at line ends if possible. Joined, the pieces equal
 * the text.
 */
export const cutText = (text: string, limit: number): string[] => {
  const characters = Array.from(text)
  const pieces: string[] = []
  for (let start = 0; start < characters.length; ) {
    const window = characters.slice(start, start + limit).join('')
    const isLast = start + limit >= characters.length
    const piece = isLast ? window : window.slice(0, cutPoint(window))
    pieces.push(piece)
    start += Array.from(piece).length
  }
  return pieces
}

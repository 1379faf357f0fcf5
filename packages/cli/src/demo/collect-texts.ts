import { normaliseId } from '@cairn/contracts/ids'
import { limits } from '@cairn/contracts/limits'
import { codePointLength } from '@cairn/contracts/text/text'
import type { DemoText, Texts } from './texts.ts'

/** Returns the last line end in the second half of the text, or the end of the text. */
const cutPoint = (text: string): number => {
  const lineEnd = text.lastIndexOf('\n') + 1
  return lineEnd > text.length / 2 ? lineEnd : text.length
}

/** Cuts pieces of at most `limit` Unicode code points, at line ends if possible. Joined, the pieces are the text. */
const cutText = (text: string, limit: number): string[] => {
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

export type SourceText = { readonly name: string; readonly text: string; readonly source: string }

/** Omits and counts short texts and copies; splits long texts into `name`, `name#2` … */
export const collectTexts = async (found: AsyncIterable<SourceText>): Promise<Texts> => {
  const texts: DemoText[] = []
  const skipped: Record<string, number> = {}
  const skip = (reason: string) => {
    skipped[reason] = (skipped[reason] ?? 0) + 1
  }
  const seen = new Set<string>()
  let sources = 0
  for await (const { name, text, source } of found) {
    // An invalid id would make the server refuse the whole batch; `#999` reserves space for part numbers.
    if (!normaliseId(`${name}#999`).ok) skip('with an unusable name')
    else if (codePointLength(text.trim()) < limits.minTextLength) skip('too short')
    else if (seen.has(text)) skip('identical to another')
    else {
      seen.add(text)
      sources += 1
      const parts = cutText(text, limits.maxTextLength).filter(
        (part) => codePointLength(part.trim()) >= limits.minTextLength,
      )
      for (const [index, part] of parts.entries())
        texts.push({ id: index === 0 ? name : `${name}#${index + 1}`, name, text: part, source })
    }
  }
  return { texts, sources, skipped }
}

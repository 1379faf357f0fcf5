import { raisedText } from '../../shared/raised.ts'
import type { Glyph } from './page.ts'

type Part = { readonly glyphs: readonly Glyph[]; readonly text?: string }

/** Shares of the size of the word. */
const maxSize = 0.85
const minHeight = 0.15

const textOf = (glyphs: readonly Glyph[]): string => glyphs.map(({ text }) => text).join('')

/** Splits the glyphs of a word where the height changes. */
const levelsOf = (glyphs: readonly Glyph[]): { readonly glyphs: Glyph[]; readonly isRaised: boolean }[] => {
  const base = glyphs.reduce((max, glyph) => (glyph.style.size > max.style.size ? glyph : max))
  const { size } = base.style
  const levels: { glyphs: Glyph[]; isRaised: boolean }[] = []
  for (const glyph of glyphs) {
    const isRaised = glyph.style.size < size * maxSize && base.y - glyph.y > size * minHeight
    const last = levels.at(-1)
    if (last?.isRaised === isRaised) last.glyphs.push(glyph)
    else levels.push({ glyphs: [glyph], isRaised })
  }
  return levels
}

/**
 * Marks of footnotes become words of their own (`[1]`), exponents get a sign (`10^6`). A raised number before a slash
 * is part of a fraction.
 */
export const withSuperscripts = (glyphs: readonly Glyph[]): Part[] => {
  const levels = levelsOf(glyphs)
  if (levels.length < 2) return [{ glyphs }]
  const parts: { glyphs: Glyph[]; text: string; isMark: boolean }[] = []
  for (const [index, level] of levels.entries()) {
    const last = parts.at(-1)
    const text = textOf(level.glyphs)
    const after = textOf(levels[index + 1]?.glyphs ?? [])
    const raised = level.isRaised && !/^[/⁄\d]/.test(after) ? raisedText(last?.text ?? '', text) : undefined
    const isMark = raised?.startsWith('[') ?? false
    const isApart = isMark || (last?.isMark && /^[\p{L}\p{N}]/u.test(text))
    if (last && !isApart) {
      last.glyphs.push(...level.glyphs)
      last.text += raised ?? text
      last.isMark = false
    } else parts.push({ glyphs: [...level.glyphs], text: raised ?? text, isMark })
  }
  return parts
}

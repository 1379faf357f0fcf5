import { rtl } from '@cairn/domain/text/direction'
import { median } from '@cairn/domain/text/median'
import type { PageBox } from '@cairn/domain/text/places'
import type { Style } from '../characters/characters.ts'
import type { Frame, Glyph } from '../characters/page.ts'
import { withSuperscripts } from '../characters/superscripts.ts'

/** Points of the frame. Characters are in reading order. */
export type Word = {
  readonly text: string
  readonly x0: number
  readonly x1: number
  /** Baseline. */
  readonly y: number
  readonly style: Style
  /** Order on the page: index of the first character; for scans, of the word. */
  readonly index: number
  /** On the page; only for scans, whose words are laid out as on a level page. */
  readonly box?: PageBox
}

const mark = /^\p{M}+$/u
const letter = /\p{L}/u
const word = /[\p{L}\p{N}]/u
/** Font sizes; blanks are about 0.25 wide. */
const wordGap = 0.2
/** Letters of Arabic fonts may be drawn beyond their advance. */
const rtlWordGap = 0.45
/** Gaps of letter-spaced text, in font sizes. Smaller gaps are normal; larger ones separate words or cells. */
const spacedFrom = 0.12
const spacedTo = 0.9
/** Fewer dots are an ellipsis. */
const fewestDots = 5

const isRtl = (glyph: Glyph): boolean => rtl.test(glyph.text)

/** Punctuation takes the direction of the adjacent letters. */
const gapOf = (before: Glyph, after: Glyph): number => {
  const right = after.x0 - before.x1
  const left = before.x0 - after.x1
  const [beforeRtl, afterRtl] = [isRtl(before), isRtl(after)]
  if (beforeRtl && afterRtl) return left
  if (!beforeRtl && !afterRtl) return right
  const other = beforeRtl ? after : before
  return !word.test(other.text) && Math.abs(left) < Math.abs(right) ? left : right
}

const isBeside = (before: Glyph, after: Glyph): boolean => {
  const size = Math.max(before.style.size, after.style.size)
  return Math.abs(after.y - before.y) < size * 0.6
}

/** Side, in points, of the squares by which characters are indexed. */
const cell = 8

/** Some programs draw characters twice to simulate a bold font. */
const withoutCopies = (glyphs: readonly Glyph[]): Glyph[] => {
  const seen = new Map<number, Glyph[]>()
  return glyphs.filter((glyph) => {
    const reach = glyph.style.size * 0.15
    const [left, right] = [Math.floor((glyph.x0 - reach) / cell), Math.floor((glyph.x0 + reach) / cell)]
    const [top, bottom] = [Math.floor((glyph.y - reach) / cell), Math.floor((glyph.y + reach) / cell)]
    for (let column = left; column <= right; column += 1)
      for (let row = top; row <= bottom; row += 1)
        for (const other of seen.get(column * 65_536 + row) ?? [])
          if (
            other.text === glyph.text &&
            Math.abs(other.x0 - glyph.x0) <= reach &&
            Math.abs(other.y - glyph.y) <= reach &&
            // Characters of a ligature share a position and are consecutive.
            glyph.index - other.index > 1
          )
            return false
    const key = Math.floor(glyph.x0 / cell) * 65_536 + Math.floor(glyph.y / cell)
    const known = seen.get(key)
    if (known) known.push(glyph)
    else seen.set(key, [glyph])
    return true
  })
}

/** Splits glyphs where they leave the baseline. */
const runsOf = (glyphs: readonly Glyph[]): Glyph[][] => {
  const runs: Glyph[][] = []
  for (const glyph of glyphs) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    const size = glyph.style.size
    const goesOn = last && isBeside(last, glyph) && (mark.test(glyph.text) || Math.abs(gapOf(last, glyph)) < size * 1.5)
    if (run && goesOn) run.push(glyph)
    else runs.push([glyph])
  }
  return runs
}

/** Returns a gap for letter-spaced text (`A N N U A L`), where blanks do not separate words, else undefined. */
const spacedGap = (run: readonly Glyph[]): number | undefined => {
  const letters = run.filter(({ text }) => letter.test(text))
  if (letters.length < 4 || letters.length < run.length * 0.8 || run.some(isRtl)) return undefined
  const gaps = run.slice(1).map((glyph, index) => gapOf(run[index] as Glyph, glyph) / glyph.style.size)
  const usual = median(gaps)
  return usual > spacedFrom && usual < spacedTo && gaps.filter((gap) => gap > spacedFrom).length > gaps.length * 0.9
    ? usual * 1.5 + 0.1
    : undefined
}

/** Letters drawn individually at equal steps: gaps after narrow ones do not separate words. */
const isEven = (word: readonly Glyph[], next: Glyph): boolean => {
  const letters = [...word, next]
  if (letters.length < 5 || next.afterBlank || !letters.every(({ text }) => letter.test(text))) return false
  const steps = letters.slice(1).map(({ x0 }, index) => x0 - (letters[index] as Glyph).x0)
  const [step = 0] = steps
  return step > 0 && steps.every((one) => Math.abs(one - step) < step * 0.06)
}

/** Letters of each ligature that Unicode has as one character, such as Arabic lam and alef. */
const ligatures = new Set(
  [...Array(0x400).keys()]
    .flatMap((offset) => [0xfb00 + offset, 0xfe70 + (offset % 0x90)])
    .map((code) => String.fromCharCode(code).normalize('NFKC'))
    .filter((letters) => letters.length > 1),
)

/**
 * pdfium lists right-to-left text in reading order except within one position: letters of a ligature come from last to
 * first, and a mark may precede its letter.
 */
const inReadingOrder = (glyphs: readonly Glyph[]): string => {
  if (!glyphs.some(isRtl)) return glyphs.map(({ text }) => text).join('')
  const places: Glyph[][] = []
  for (const [index, glyph] of glyphs.entries()) {
    const place = places.at(-1)
    const before = place?.[0]
    const after = glyphs[index + 1]
    const center = (glyph.x0 + glyph.x1) / 2
    const isAbove = (letter: Glyph | undefined) => letter && letter.x0 <= center && center <= letter.x1
    if (mark.test(glyph.text) && after && isAbove(after) && !isAbove(before)) places.push([after, glyph])
    else if (places.at(-1)?.[0] === glyph && place?.length === 2) continue
    else if (place && before && Math.abs(glyph.x0 - before.x0) < 0.01 && !mark.test(glyph.text)) place.push(glyph)
    else places.push([glyph])
  }
  return places
    .map((place) => {
      const letters = place.map(({ text }) => text)
      const isWhole = ligatures.has(letters.join('')) || letters.slice(1).every((letter) => mark.test(letter))
      return (isWhole ? letters : letters.reverse()).join('')
    })
    .join('')
}

const wordOf = (glyphs: readonly Glyph[], text = inReadingOrder(glyphs)): Word => {
  const largest = glyphs.reduce((max, glyph) => (glyph.style.size > max.style.size ? glyph : max))
  return {
    text,
    x0: Math.min(...glyphs.map(({ x0 }) => x0)),
    x1: Math.max(...glyphs.map(({ x1 }) => x1)),
    y: largest.y,
    style: largest.style,
    index: (glyphs[0] as Glyph).index,
  }
}

/** Marks of footnotes are words of their own. */
const partsOf = (glyphs: readonly Glyph[]): Word[] =>
  glyphs.some(isRtl) ? [wordOf(glyphs)] : withSuperscripts(glyphs).map(({ glyphs, text }) => wordOf(glyphs, text))

/** Difference between gaps within and between words of a tightly set line, in font sizes. */
const leastStep = 0.08
/** Fewer gaps do not show which ones separate words. */
const fewestGaps = 20

/** In a tightly set line, gaps between words are narrow, but about equal, and much wider than between letters. */
const gapBetweenWords = (run: readonly Glyph[]): number => {
  if (run.length <= fewestGaps || run.some(({ afterBlank }, index) => afterBlank && index > 0)) return wordGap
  const gaps = run.slice(1).map((glyph, index) => gapOf(run[index] as Glyph, glyph) / glyph.style.size)
  gaps.sort((a, b) => a - b)
  let widest = { step: leastStep, middle: wordGap, from: 0 }
  for (const [index, gap] of gaps.slice(1).entries()) {
    const before = gaps[index] as number
    const middle = (before + gap) / 2
    if (middle > leastStep && gap - before > widest.step) widest = { step: gap - before, middle, from: index + 1 }
  }
  const wide = gaps.slice(widest.from)
  const isTight = widest.middle < wordGap && wide.length > 2 && median(wide) < (wide[0] as number) * 1.3
  return isTight ? widest.middle : wordGap
}

const leadersIn = (run: readonly Glyph[]): ReadonlySet<Glyph> => {
  const found = new Set<Glyph>()
  let from = 0
  for (let index = 0; index <= run.length; index += 1) {
    if (/^[.…]$/.test(run[index]?.text ?? '')) continue
    if (index - from >= fewestDots) for (const dot of run.slice(from, index)) found.add(dot)
    from = index + 1
  }
  return found
}

/** Words are in the order of the file. */
export const wordsOf = ({ glyphs }: Frame): Word[] => {
  const words: Word[] = []
  for (const run of runsOf(withoutCopies(glyphs))) {
    const spaced = spacedGap(run)
    const leaders = leadersIn(run)
    const betweenWords = gapBetweenWords(run)
    // If the file has blanks, a gap is more likely a letter whose width pdfium does not know.
    const betweenRtlWords = rtlWordGap * (run.some(({ afterBlank }, index) => afterBlank && index > 0) ? 2 : 1)
    let held: Glyph[] = []
    // A ligature has one advance; pdfium reports it for each letter, or each letter's own.
    let ligatureWidth = 0
    for (const glyph of run) {
      const last = held.at(-1)
      if (last) {
        const isLigature = !glyph.afterBlank && Math.abs(glyph.x0 - last.x0) < 0.01
        const size = Math.max(last.style.size, glyph.style.size)
        const distance = gapOf(last, glyph)
        const gap = (distance > 0 ? Math.max(0, distance - ligatureWidth) : distance) / size
        const widest = isRtl(last) || isRtl(glyph) ? betweenRtlWords : betweenWords
        const isWithinLeaders = leaders.has(last) && leaders.has(glyph)
        const parts =
          leaders.has(last) !== leaders.has(glyph) ||
          (!isWithinLeaders && (spaced === undefined ? glyph.afterBlank || gap > widest : gap > spaced))
        if (!isLigature && ((parts && !mark.test(glyph.text) && !isEven(held, glyph)) || gap < -0.8)) {
          words.push(...partsOf(held))
          held = []
        }
        ligatureWidth = isLigature && !isRtl(glyph) ? ligatureWidth + last.x1 - last.x0 : 0
      }
      held.push(glyph)
    }
    if (held.length > 0) words.push(...partsOf(held))
  }
  return words
}

/** The fields of pdf.js's text items that are used here. */
export type TextRun = {
  readonly str: string
  /** Matrix from the run to the page: start of the baseline, size and angle. */
  readonly transform: readonly number[]
  readonly width: number
  readonly height: number
  /** `ttb`: vertical writing. */
  readonly dir: string
  readonly hasEOL: boolean
}

type Line = { text: string; angle: number; size: number; left: number; right: number; baseline: number }

const bullet = /^(?:[•‣◦▪●○■□–—·*-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)])\s/i
const endsSentence = /[.!?:;…。！？：；]["'”’»)\]]*$/
const cjk = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/

/**
 * Converts a run to coordinates along its own baseline, so that rotated text is read like any other, and columns of
 * vertical writing like lines.
 */
const placed = ({ str, transform, width, height, dir }: TextRun): Line => {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform
  const isVertical = dir === 'ttb'
  const angle = Math.atan2(b, a) - (isVertical ? Math.PI / 2 : 0)
  const left = x * Math.cos(angle) + y * Math.sin(angle)
  return {
    text: str,
    angle,
    size: Math.hypot(c, d) || Math.hypot(a, b) || 1,
    left,
    right: left + (isVertical ? height : width),
    baseline: y * Math.cos(angle) - x * Math.sin(angle),
  }
}

/** Whether the run continues the line. A raised or lowered run does; a run that jumps back to the left does not. */
const sameLine = (line: Line, run: Line): boolean => {
  const size = Math.max(line.size, run.size)
  return (
    Math.abs(run.angle - line.angle) < 0.05 &&
    Math.abs(run.baseline - line.baseline) < size * 0.6 &&
    run.left > line.right - size * 1.5
  )
}

/**
 * Joins runs into lines, left to right only. Right-to-left runs have decreasing positions but are already in reading
 * order.
 */
const linesOf = (runs: readonly TextRun[]): Line[] => {
  const lines: Line[] = []
  let line: Line | undefined
  for (const run of runs) {
    const next = placed(run)
    if (run.str !== '') {
      if (line && (sameLine(line, next) || next.text.trim() === '')) {
        const gap = next.left - line.right
        const apart = gap > next.size * 0.2 && !/\s$/.test(line.text) && !/^\s/.test(next.text)
        line.text += apart ? ` ${next.text}` : next.text
        line.left = Math.min(line.left, next.left)
        line.right = Math.max(line.right, next.right)
        line.size = Math.max(line.size, next.size)
      } else {
        line = next
        lines.push(line)
      }
    }
    if (run.hasEOL) line = undefined
  }
  return lines
    .map((one) => ({ ...one, text: one.text.replace(/[\p{Cc}\s]+/gu, ' ').trim() }))
    .filter((one) => one.text !== '')
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Returns the median distance of lines in multiples of their size, because a page may have several sizes. */
const usualDistance = (lines: readonly Line[]): number =>
  median(
    lines.flatMap((line, index) => {
      const above = lines[index - 1]
      const distance = above ? (above.baseline - line.baseline) / line.size : 0
      return distance > 0.5 && distance < 4 ? [distance] : []
    }),
  ) || 1.2

type Column = { readonly left: number; readonly right: number }

/** Whether a paragraph begins with `line`. */
const begins = (above: Line, line: Line, distance: number, column: Column): boolean => {
  const down = (above.baseline - line.baseline) / line.size
  const continues = !endsSentence.test(above.text) && /^\p{Ll}/u.test(line.text)
  if (Math.abs(line.angle - above.angle) > 0.05) return true
  if (Math.abs(line.size - above.size) > 0.15 * Math.max(line.size, above.size)) return true
  // Another column, or text beside a picture: a sentence may continue there.
  if (down < 0.3 || line.left > above.right) return !continues
  if (down > distance * 1.35 && down > distance + 0.25) return !continues || down > distance * 2.5
  if (bullet.test(line.text)) return true
  const indented = line.left - above.left > line.size * 0.8 && above.left < column.left + line.size
  const short = above.right < column.left + (column.right - column.left) * 0.75
  return endsSentence.test(above.text) && (indented || short)
}

const joined = (above: string, below: string): string => {
  if (above.endsWith('\u00ad')) return above.slice(0, -1) + below
  // A word hyphenated at the line end. A word that always has a hyphen loses it too and can't be found by its parts,
  // but hyphenated words are far more frequent.
  if (/\p{L}[-‐]$/u.test(above) && /^\p{Ll}/u.test(below)) return above.slice(0, -1) + below
  return cjk.test(above.slice(-1)) && cjk.test(below.charAt(0)) ? above + below : `${above} ${below}`
}

/** Returns the paragraphs of a page in the order of the file's text. */
export const paragraphsOf = (runs: readonly TextRun[]): string[] => {
  const lines = linesOf(runs)
  const distance = usualDistance(lines)
  const paragraphs: string[] = []
  let column: Column = { left: 0, right: 0 }
  let text: string | undefined
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1]
    if (text === undefined || !above || begins(above, line, distance, column)) {
      if (text !== undefined) paragraphs.push(text)
      text = line.text
      // A paragraph of one line is weak evidence of the column's width.
      if (!above || Math.abs(line.left - column.left) > line.size * 3 || line.right > column.right) column = line
    } else {
      text = joined(text, line.text)
      column = { left: Math.min(column.left, line.left), right: Math.max(column.right, line.right) }
    }
  }
  if (text !== undefined) paragraphs.push(text)
  return paragraphs
}

const unmapped = /[\ufffd\p{Co}\p{Cn}\p{Cc}]/u

/** Whether most glyphs map to characters; a font may have no character mapping. */
export const isUsable = (paragraphs: readonly string[], runs: readonly TextRun[]): boolean => {
  let good = 0
  let bad = 0
  for (const { str } of runs) {
    for (const char of str) {
      if (unmapped.test(char)) bad += 1
      else if (/\S/.test(char)) good += 1
    }
  }
  return paragraphs.length > 0 && good > bad
}

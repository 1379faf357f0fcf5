import { escaped } from './svg.ts'

/** Terminal output and its time in milliseconds from the start. */
export type TerminalEvent = { readonly atMs: number; readonly text: string }

/** A line of the terminal with its successive texts; each text is shown until the next one. */
export type TerminalLine = { readonly versions: readonly TerminalEvent[] }

/** A control sequence with its command, another escape, or a character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
const sequences = /\u001b\[[0-9;?]*([A-Za-z])|\u001b[^[]|(.)/gsu
/** Changes within this time, in milliseconds, are drawn as one. */
const togetherMs = 80

/** Returns the events with every pause shortened to at most `maxMs`. */
export const shortenPauses = (events: readonly TerminalEvent[], maxMs: number): TerminalEvent[] => {
  let before = 0
  let now = 0
  return events.map(({ atMs, text }) => {
    now += Math.min(atMs - before, maxMs)
    before = atMs
    return { atMs: now, text }
  })
}

/**
 * Plays the events on a terminal with this number of columns. Supports line feeds, carriage returns, tabs and "erase to
 * the end of the line"; ignores all other control sequences.
 */
export const playTerminal = (events: readonly TerminalEvent[], columns: number): TerminalLine[] => {
  const lines: { text: string; readonly versions: TerminalEvent[] }[] = []
  let [row, column] = [0, 0]
  const lineAt = (index: number) => {
    while (lines.length <= index) lines.push({ text: '', versions: [] })
    return lines[index]!
  }
  const put = (character: string) => {
    if (column >= columns) [row, column] = [row + 1, 0]
    const line = lineAt(row)
    line.text = line.text.slice(0, column).padEnd(column) + character + line.text.slice(column + 1)
    column += 1
  }
  for (const { atMs, text } of events) {
    for (const [, command, character] of text.matchAll(sequences)) {
      if (command === 'K') lineAt(row).text = lineAt(row).text.slice(0, column)
      if (character === '\n') [row, column] = [row + 1, 0]
      else if (character === '\r') column = 0
      else if (character === '\t') for (let count = 8 - (column % 8); count > 0; count -= 1) put(' ')
      else if (character !== undefined && character >= ' ') put(character)
    }
    lineAt(row)
    for (const { text: now, versions } of lines) {
      const last = versions.at(-1)
      if (now.trimEnd() === (last?.text ?? '')) continue
      const version = { atMs, text: now.trimEnd() }
      if (last !== undefined && atMs - last.atMs < togetherMs)
        versions[versions.length - 1] = { ...version, atMs: last.atMs }
      else versions.push(version)
    }
  }
  return lines
}

type Drawing = {
  /** Alternative text of the picture. */
  readonly title: string
  readonly columns: number
  readonly rows: number
  /** Time for which the last frame stays before the recording repeats. */
  readonly holdMs: number
}

const [fontSize, characterWidth, lineHeight, padding] = [13, 7.83, 19, 16]

/**
 * Draws a recording as an animated SVG without scripts and fonts. Without animation, the picture shows the last frame.
 */
export const drawRecording = (lines: readonly TerminalLine[], { title, columns, rows, holdMs }: Drawing): string => {
  const last = Math.max(...lines.flatMap(({ versions }) => versions.map(({ atMs }) => atMs)), 0)
  const total = Math.round(last + holdMs)
  const percent = (atMs: number) => `${Number(((atMs / total) * 100).toFixed(3))}%`
  const width = Math.ceil(columns * characterWidth + 2 * padding)
  const height = rows * lineHeight + 2 * padding
  const rules: string[] = []
  const texts: string[] = []
  let highest = 0
  const scrolls = new Map([['0%', 'none']])
  const moved = (row: number) => Math.max(0, row + 1 - rows) * lineHeight
  const shownFrom = lines.flatMap(({ versions: [first] }, row) =>
    first === undefined ? [] : [{ row, atMs: first.atMs }],
  )
  for (const { row, atMs } of shownFrom.toSorted((a, b) => a.atMs - b.atMs)) {
    if (moved(row) <= highest) continue
    highest = moved(row)
    scrolls.set(percent(atMs), `translateY(-${highest}px)`)
  }
  for (const [row, { versions }] of lines.entries())
    for (const [index, { atMs, text }] of versions.entries()) {
      if (text === '') continue
      const next = versions[index + 1]
      const name = `v${texts.length}`
      const opacities = new Map([
        ['0%', 0],
        [percent(atMs), 1],
        ...(next === undefined ? [] : [[percent(next.atMs), 0] as const]),
      ])
      rules.push(`@keyframes ${name}{${[...opacities].map(([at, opacity]) => `${at}{opacity:${opacity}}`).join('')}}`)
      const y = padding + row * lineHeight + fontSize
      // A line is a prompt, a comment, or output.
      const kind = text.startsWith('$ ') ? ' class="c"' : text.startsWith('# ') ? ' class="n"' : ''
      const gone = next === undefined ? '' : ' opacity="0"'
      texts.push(`<text${kind}${gone} x="${padding}" y="${y}" style="animation-name:${name}">${escaped(text)}</text>`)
    }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>
svg{--back:#ffffff;--edge:#d0d7de;--text:#1f2328;--command:#0550ae;--note:#59636e}
@media (prefers-color-scheme:dark){svg{--back:#0d1117;--edge:#30363d;--text:#e6edf3;--command:#79c0ff;--note:#9198a1}}
.f{fill:var(--back);stroke:var(--edge)}
text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;fill:var(--text);white-space:pre}
.c{fill:var(--command)}
.n{fill:var(--note)}
.s{animation-name:s;transform:translateY(-${highest}px)}
@media (prefers-reduced-motion:no-preference){text,.s{animation-duration:${total}ms;animation-timing-function:step-end;animation-iteration-count:infinite}}
@keyframes s{${[...scrolls].map(([at, transform]) => `${at}{transform:${transform}}`).join('')}}
${rules.join('\n')}
</style>
<rect class="f" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<svg aria-hidden="true" x="0" y="${padding / 2}" width="${width}" height="${height - padding}" viewBox="0 ${padding / 2} ${width} ${height - padding}"><g class="s">
${texts.join('\n')}
</g></svg>
</svg>
`
}

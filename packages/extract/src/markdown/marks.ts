/** Every second part is a code span. */
const atSpans = (text: string): string[] => {
  const runs = Array.from(text.matchAll(/`+/g), ({ index, 0: { length } }) => ({ index, length }))
  /** Remaining backtick runs by length, the next one last. */
  const later = new Map<number, number[]>()
  for (const { index, length } of runs.toReversed()) {
    const known = later.get(length)
    if (known) known.push(index)
    else later.set(length, [index])
  }
  const parts: string[] = []
  let from = 0
  for (const { index, length } of runs) {
    const ends = later.get(length) as number[]
    ends.pop()
    const end = ends.at(-1)
    if (index < from || end === undefined) continue
    parts.push(text.slice(from, index), text.slice(index, end + length))
    from = end + length
  }
  return [...parts, text.slice(from)]
}

/** Marks of site generators, with what remains of each. Lengths are limited, so a stray mark costs little. */
const marks: readonly (readonly [mark: RegExp, remains: string | ((...found: string[]) => string)])[] = [
  // Liquid and Jinja (Jekyll, MkDocs), shortcodes (Hugo).
  [/\{%[^{}]{0,1000}?%\}|\{\{[<%][^{}]{0,1000}?[>%]\}\}/g, ''],
  // Attributes (kramdown): `{: .note }`, `{:toc}`.
  [/\{:(?:toc|[ \t]*(?:[.#][^\s{}]|[\w-]{1,50}=))[^{}\n]{0,500}\}/g, ''],
  // Containers (Docusaurus, VitePress, MyST): `:::tip Title`, `:::tip[Title]`, `:::`.
  [/^[ \t]*:{3,}(?:[ \t]*\{?[\w-]{1,50}\}?)?[ \t]*(?:\[([^[\]\n]{0,500})\])?/gm, '$1'],
  // Admonitions (MkDocs): `!!! note "Title"`. Their text is indented, like code.
  [
    /^(?:!!!|\?\?\?\+?)[ \t]+[\w-]{1,50}(?:[ \t]+"([^"\n]{0,500})")?[ \t]*((?:\n {4}[^\n]*)*)/gm,
    (_, title = '', text = '') => title + text.replaceAll('\n    ', '\n'),
  ],
  // Alerts (GitHub, Obsidian): `> [!NOTE] Title`.
  [/^([ \t]*>[ \t]*)\[!\w{1,50}\][+-]?/gm, '$1'],
  // Contents that a generator inserts.
  [/^[ \t]*(?:\[TOC\]|\[\[_?TOC_?\]\])[ \t]*$/gim, ''],
  // Wiki links: `[[Page|label]]`.
  [/!?\[\[(?:[^[\]|\n]{1,300}\|)?([^[\]|\n]{1,300})\]\]/g, '$1'],
  // Modules (MDX).
  [
    /^(?:import[ \t](?:[\w{}*,$ \t]{1,500}[ \t]from[ \t]*)?(?:"[^"\n]{1,300}"|'[^'\n]{1,300}');?|export[ \t]+(?:default|const|let|function|class)[ \t]+[\w$]{1,100}[ \t]*[=({][^\n]*)[ \t]*$/gm,
    '',
  ],
]

/** A line end between characters of scripts without blanks between words. */
const wrapped =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}，。、；：）」])\n(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}（「])/gu

/** Code spans stay unchanged. */
export const withoutMarks = (source: string): string =>
  atSpans(source)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : marks.reduce((text, [mark, remains]) => text.replace(mark, remains as string), part).replace(wrapped, ''),
    )
    .join('')

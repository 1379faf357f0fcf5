/** Inline elements; all others begin a new line. */
export const inline = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
const block = new Set(
  'address article aside audio blockquote body br button canvas caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe legend li link main map menu meta meter nav object ol optgroup option output p param picture pre progress script search section select source style summary svg table tbody td template textarea tfoot th thead title tr track ul video'.split(
    ' ',
  ),
)

/** Matches a tag, or a comment with its text. Lengths are limited, so a stray quote costs little. */
const markup =
  /<!--([\s\S]{0,5000}?)-->|<(\/?)([a-z][a-z0-9]{0,15})((?:\s(?:[^<>"']|"[^"<]{0,2000}"|'[^'<]{0,2000}'){0,4000})?)\/?>/gi
const hiddenContent = /<(script|style)\b[^<>]{0,1000}>[\s\S]{0,50000}?<\/\1>/gi
/** Characters that mark the border of a comment or a cell until the lines are known. */
const [gap, cell] = ['\x1e', '\x1d']
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi, (whole, digits, hex, name) => {
    if (name) return entities[String(name).toLowerCase()] ?? whole
    const code = digits ? Number(digits) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole
  })

const withoutTags = (text: string): string => {
  const visible = text.replace(hiddenContent, '')
  let isHtml = visible !== text
  const plain = visible.replace(markup, (whole, comment, slash, element, attributes) => {
    if (comment !== undefined) {
      isHtml = true
      return gap + String(comment).trim() + gap
    }
    const name = String(element).toLowerCase()
    if (!inline.has(name) && !block.has(name)) return whole
    isHtml = true
    if (name === 'img') return /\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes)?.slice(1).find(Boolean) ?? ''
    if (inline.has(name)) return ''
    if (name === 'td' || name === 'th') return slash ? '' : cell
    return '\n'
  })
  return isHtml ? decoded(plain) : text
}

/** Splits a text at code spans; every second part is a code span. */
const atSpans = (text: string): string[] => {
  const runs = Array.from(text.matchAll(/`+/g), ({ index, 0: { length } }) => ({ index, length }))
  /** Positions of the remaining backtick runs by length, the next one last. */
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

/** Returns a line with ` | ` between its cells and a blank at the borders of comments. */
const lineOf = (marked: string): string => {
  const [first = '', ...cells] = marked.split(cell)
  const all = first.trim() === '' && cells.length > 0 ? cells : [first, ...cells]
  return all
    .map((text, index) => {
      const plain = (text.startsWith(gap) ? text.slice(1) : text).replaceAll(gap, ' ')
      return index === 0 ? plain.trimEnd() : plain.trim()
    })
    .join(' | ')
}

/**
 * Returns Markdown without HTML tags; ` | ` separates the cells of an HTML table. Code spans stay unchanged, and so
 * does text that only looks like a tag, such as `Map<string>`.
 */
export const withoutHtml = (source: string): string => {
  if (!/<[a-z/!]/i.test(source)) return source
  const parts = source.includes('`') ? atSpans(source) : [source]
  const plain = parts.map((part, index) => (index % 2 === 0 ? withoutTags(part) : part)).join('')
  if (plain === source) return source
  return plain
    .split('\n')
    .map(lineOf)
    .filter((line) => line.trim() !== '')
    .join('\n')
}

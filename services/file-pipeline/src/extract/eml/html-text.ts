import { textOfHtml } from '../text/markdown-html.ts'

/** Units that the tags of HTML are searched in at once: a piece ends before a tag, else before a blank. */
const pieceUnits = 50_000

/** Elements whose content is not shown, and comments. One that is never closed reaches to the end. */
const unseen = /<(?:(!--)|(script|style|title|template)\b)/gi
const endOf = new Map(
  ['script', 'style', 'title', 'template'].map((name) => [name, new RegExp(`</${name}\\s{0,100}>`, 'gi')] as const),
)

const withoutUnseen = (html: string): string => {
  const parts: string[] = []
  let from = 0
  unseen.lastIndex = 0
  for (let found = unseen.exec(html); found; found = unseen.exec(html)) {
    parts.push(html.slice(from, found.index))
    const end = found[1] ? /-->/g : (endOf.get((found[2] ?? '').toLowerCase()) as RegExp)
    end.lastIndex = found.index
    from = end.exec(html) ? end.lastIndex : html.length
    unseen.lastIndex = from
  }
  return [...parts, html.slice(from)].join('')
}

/** Returns the text of HTML that a reader sees, in lines; cells of a table are joined by ` | `. */
export const htmlText = (html: string): string => {
  const seen = withoutUnseen(html)
  const pieces: string[] = []
  for (let from = 0; from < seen.length; ) {
    const limit = from + pieceUnits
    const borders = [seen.lastIndexOf('<', limit), seen.lastIndexOf(' ', limit), limit]
    const to = limit >= seen.length ? seen.length : (borders.find((border) => border > from) ?? limit)
    pieces.push(textOfHtml(seen.slice(from, to)))
    from = to
  }
  return pieces.join('\n')
}

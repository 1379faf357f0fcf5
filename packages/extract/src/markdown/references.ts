import MarkdownIt from 'markdown-it'
import { linesOf } from '../txt/lines.ts'

const maxReferences = 10_000
/** Units of an address, and of a footnote that is moved to its reference. */
const maxUnits = 2_000

const link = /^ {0,3}\[([^[\]\\^][^[\]\\]{0,200})\]:[ \t]*<?([^\s>]+)/
const footnote = /^ {0,3}\[\^([^\]\s]{1,200})\]:[ \t]*/
const { normalizeReference } = new MarkdownIt().utils

export type Footnote = { readonly text: string; readonly from: number; readonly to: number }
export type References = {
  /** By label, as in markdown-it's environment. */
  readonly links: Readonly<Record<string, { readonly href: string; readonly title: string }>>
  /** By label; undefined: too long to be moved, so it is read where it is written. */
  readonly footnotes: ReadonlyMap<string, Footnote | undefined>
}

export const footnoteOf = (line: string): { readonly label: string; readonly text: string } | undefined => {
  const [mark, label] = footnote.exec(line) ?? []
  return mark === undefined || label === undefined ? undefined : { label, text: line.slice(mark.length) }
}

/** Reads link and footnote definitions, which may stand far from their use. */
export const readReferences = async (text: AsyncIterable<string>): Promise<References> => {
  const links: Record<string, { href: string; title: string }> = Object.create(null)
  const footnotes = new Map<string, Footnote | undefined>()
  let count = 0
  let open: string | undefined
  const set = (label: string, footnote: Footnote) => {
    const isShort = footnote.text.length <= maxUnits
    footnotes.set(label, isShort ? footnote : undefined)
    open = isShort ? label : undefined
  }
  for await (const lines of linesOf(text))
    for (const { text: line, from } of lines) {
      const note = count < maxReferences ? footnoteOf(line) : undefined
      const [, label, href] = (count < maxReferences && link.exec(line.slice(0, maxUnits))) || []
      const above = open === undefined || line.trim() === '' ? undefined : footnotes.get(open)
      if (note && !footnotes.has(note.label)) set(note.label, { text: note.text, from, to: from + line.length })
      else if (label !== undefined && href !== undefined) links[normalizeReference(label)] ??= { href, title: '' }
      else if (open !== undefined && above && !note)
        set(open, { text: `${above.text}\n${line}`, from: above.from, to: from + line.length })
      else open = undefined
      if (note || label !== undefined) count += 1
    }
  return { links, footnotes }
}

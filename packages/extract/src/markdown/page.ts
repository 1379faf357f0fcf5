import MarkdownIt from 'markdown-it'
import { inline } from '../html/inline.ts'
import type { References } from './references.ts'

/** Besides the inline ones. Tags of other names are kept: they only look like tags. */
const elements = new Set([
  ...inline,
  ...'address article aside audio base blockquote body br button canvas caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form frame h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe legend li link main map math menu meta meter nav noscript object ol optgroup option output p param picture pre progress rp script search section select slot source style summary svg table tbody td template textarea tfoot th thead title tr track ul video'.split(
    ' ',
  ),
])

/** Deeper blocks are read as plain lines; an item of a list adds two levels. */
const maxLevel = 98

type Environment = { references: object; readonly source: string; readonly calls: string[] }

const markdown = (references: References): MarkdownIt => {
  const md = new MarkdownIt({ html: true })
  md.validateLink = () => true
  // The parser leaves out what is nested deeper than its limit.
  md.block.ruler.before('table', 'too_deep', (state, from, to, isSilent) => {
    if (isSilent || state.level < maxLevel) return false
    state.push('paragraph_open', 'p', 1)
    const text = state.push('inline', '', 0)
    text.content = state.getLines(from, to, 0, false).replace(/^[\s>]+/gm, '')
    text.children = []
    state.push('paragraph_close', 'p', -1)
    state.line = to
    return true
  })
  md.inline.ruler.before('link', 'footnote_call', (state, isSilent) => {
    const label = /^\[\^([^\]\s]{1,200})\]/.exec(state.src.slice(state.pos, state.pos + 205))?.[1]
    if (label === undefined || !references.footnotes.has(label)) return false
    if (!isSilent) (state.env as Environment).calls.push(label)
    state.pos += label.length + 3
    return true
  })
  md.renderer.rules['html_inline'] = (tokens, index, _options, { source }: Environment) => {
    const { content } = tokens[index] as { readonly content: string }
    const name = /^<([a-z][\w.-]*)>$/i.exec(content)?.[1]
    const isText = name !== undefined && !elements.has(name.toLowerCase()) && !source.includes(`</${name}`)
    return isText ? md.utils.escapeHtml(content) : content
  }
  return md
}

/**
 * Returns a function that converts blocks of one file, in its order, to HTML. The text of a footnote follows the first
 * block that refers to it; `rest` returns the other footnotes.
 */
export const markdownToHtml = (references: References) => {
  const md = markdown(references)
  const called = new Set<string>()
  const render = (source: string): string => {
    const calls: string[] = []
    // Definitions within the block go to an object of its own, which needs no memory later.
    const one = (text: string) =>
      md.render(text, { references: Object.create(references.links), source: text, calls } satisfies Environment)
    const parts = [one(source)]
    // Footnotes may add further ones to this array.
    for (const label of calls) {
      if (called.has(label)) continue
      called.add(label)
      const footnote = references.footnotes.get(label)
      if (footnote) parts.push(one(footnote.text))
    }
    return parts.join('')
  }
  const rest = () =>
    [...references.footnotes].flatMap(([label, note]) => (note === undefined || called.has(label) ? [] : [note]))
  return { render, rest }
}

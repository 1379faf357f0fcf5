/** Markup that is safe to be put into a page as it is. */
export type Html = { readonly markup: string }
type Part = string | number | Html | undefined | readonly Part[]

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] as string)

const toMarkup = (part: Part): string => {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map(toMarkup).join('')
}

/** Everything put in is escaped, but for what this itself has made. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: literals.map((literal, index) => literal + toMarkup(parts[index])).join(''),
})

/** Paragraphs set apart by an empty line, with `code` between backticks. */
export const prose = (text: string): Html => {
  const inline = (line: string): Html[] =>
    line.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
  return html`${text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

import { seededRandom } from '../seeded-random.ts'
import { encodeAs, encodings } from './encodings.ts'
import type { CreateMaterial, KnownSentence } from './material.ts'
import { createSentenceGenerator, type Language } from './sentences.ts'
import { escapeXml } from './zip-writer.ts'

/** Labels that pages declare in place of iconv-lite's names of the encodings. */
const labels: Readonly<Record<string, string>> = { gbk: 'gb2312', 'iso-8859-1': 'latin1' }

/**
 * Creates the body of a page: nested headings, paragraphs with markup, links, lists, tables with merged cells, code and
 * details. Chapters of books use it too.
 */
export const createPageBody = (
  random: ReturnType<typeof seededRandom>,
  { sentence, title }: ReturnType<typeof createSentenceGenerator>,
  languages: readonly Language[],
  count: number,
  path: string[] = [],
): { readonly body: string; readonly sentences: KnownSentence[] } => {
  const sentences: KnownSentence[] = []
  const parts: string[] = []
  const add = (text: string, more: Partial<KnownSentence> = {}) => {
    sentences.push({ text, headings: [...path], ...more })
    return escapeXml(text)
  }
  const next = () => sentence(random.pick(languages))
  /** Puts a part of the text into an element. */
  const marked = (text: string) => {
    const index = text.indexOf(' ') + 1
    return random.pick([text, `${text.slice(0, index)}<b>${text.slice(index)}</b>`, `<a href="#top">${text}</a>`])
  }
  const heading = () => {
    const level = Math.min(1 + random.below(4), path.length + 1)
    path.length = level - 1
    path.push(title())
    parts.push(`<h${level}>${path.at(-1)}</h${level}>`)
  }
  const list = () => {
    const [open, close] = random.pick([['<ul>', '</ul>'] as const, ['<ol>', '</ol>'] as const])
    parts.push(
      `${open}<li>${add(next())}</li><li>${add(next())}<ul><li>${add(next())}</li></ul></li><li><p>${add(next())}</p></li>${close}`,
    )
  }
  const table = () => {
    const cell = (attributes = '') => `<td${attributes}>${add(next(), { inTable: true })}</td>`
    const rows = Array.from(
      { length: 2 + random.below(3) },
      () => `<tr>${random.chance(0.3) ? cell(' colspan="2"') : cell() + cell()}</tr>`,
    )
    parts.push(`<table><thead><tr><th>Name</th><th>Remark</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`)
  }
  heading()
  while (sentences.length < count) {
    const choice = random.below(10)
    if (choice < 2) heading()
    else if (choice < 5) parts.push(`<p>${[marked(add(next())), add(next())].join(random.pick([' ', '\n  ']))}</p>`)
    else if (choice === 5) list()
    else if (choice === 6) table()
    else if (choice === 7) parts.push(`<blockquote><p>${add(next())}</p></blockquote>`)
    else if (choice === 8) parts.push(`<pre><code>${add(next())}\n  ${add(next())}</code></pre>`)
    else parts.push(`<details><summary>More</summary><div>${add(next())}</div></details>`)
  }
  return { body: parts.join('\n'), sentences }
}

/**
 * Creates a page with navigation, scripts and a footer around the main part, in the encoding that the page declares.
 */
export const createHtml: CreateMaterial = async (
  seed,
  { sentences: requestedCount, encoding: requestedEncoding = 'utf-8' } = {},
) => {
  const random = seededRandom(seed)
  const generator = createSentenceGenerator(random)
  const encoding = random.pick(encodings.filter(({ name }) => name === requestedEncoding))
  const name = generator.title()
  const count = requestedCount ?? 20 + random.below(40)
  const { body, sentences } = createPageBody(random, generator, encoding.languages, count)
  const charset = `<meta charset="${labels[encoding.name] ?? encoding.name}">`
  const page = `<!DOCTYPE html>
<html lang="en"><head>${charset}<title>${name}</title><meta name="author" content="Cairn">
<style>p { color: black }</style><script>document.write("<p>written</p>")</script></head>
<body><nav><a href="/">Home</a></nav><main>
${body}
</main><footer>Printed on paper</footer></body></html>
`
  return {
    bytes: encodeAs(page, encoding),
    truth: { sentences, encoding: encoding.name, title: name },
  }
}

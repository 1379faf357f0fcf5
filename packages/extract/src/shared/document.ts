import mammoth from 'mammoth'
import { headingStyle, itemStyle } from './flow.ts'
import { storedZip } from './zip-stored.ts'

/** Part of mammoth's tree. */
export type Element = {
  readonly type: string
  readonly children?: readonly Element[]
  readonly value?: string
  /** Written by `flow.ts`: `heading1` to `heading6`, `item0` to `item8`. */
  readonly styleId?: string | null
  readonly colSpan?: number
  readonly rowSpan?: number
  readonly isHeader?: boolean
  readonly noteType?: string
  readonly noteId?: string
  readonly commentId?: string
  readonly authorName?: string | null
  readonly body?: readonly Element[]
  readonly notes?: { readonly resolve: (reference: Element) => Element | undefined }
  readonly comments?: readonly Element[]
}

/** XML of paragraphs and tables, from `docx/rewrite.ts`. */
export type RewrittenParts = {
  readonly body: string
  readonly footnotes?: string
  readonly endnotes?: string
  readonly comments?: string
}

const namespaces = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const part = (root: string, xml: string): Buffer => Buffer.from(`<w:${root} ${namespaces}>${xml}</w:${root}>`)

/** mammoth warns of each paragraph whose style is not defined. */
const styles = [
  ...Array.from({ length: 6 }, (_, index) => headingStyle(index + 1)),
  ...Array.from({ length: 9 }, (_, index) => itemStyle(index)),
]
  .map((id) => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/></w:style>`)
  .join('')

/**
 * Returns mammoth's tree and its warnings, each once. Captures the tree during the conversion, because mammoth's HTML
 * would have to be parsed again; mammoth then converts an empty document.
 */
export const readDocument = async ({
  body,
  ...notes
}: RewrittenParts): Promise<{ readonly document: Element | undefined; readonly warnings: readonly string[] }> => {
  const parts = new Map([
    ['word/document.xml', part('document', `<w:body>${body}</w:body>`)],
    ['word/styles.xml', part('styles', styles)],
  ])
  for (const [name, xml] of Object.entries(notes)) parts.set(`word/${name}.xml`, part(name, xml))
  let document: Element | undefined
  const { messages } = await mammoth.convertToHtml(
    { buffer: storedZip(parts) },
    {
      externalFileAccess: false,
      includeEmbeddedStyleMap: false,
      transformDocument: (found: Element) => {
        document = found
        return { ...found, children: [], comments: [] }
      },
    },
  )
  return { document, warnings: [...new Set(messages.map(({ message }) => message))] }
}

import mammoth from 'mammoth'

/** What of mammoth's tree is read here. */
export type Element = {
  readonly type: string
  readonly children?: readonly Element[]
  readonly value?: string
  readonly styleName?: string | null
  readonly styleId?: string | null
  readonly numbering?: { readonly level: string | number; readonly isOrdered: boolean } | null
  readonly colSpan?: number
  readonly rowSpan?: number
  readonly noteType?: string
  readonly noteId?: string
  readonly breakType?: string
  readonly body?: readonly Element[]
  readonly notes?: { readonly resolve: (reference: Element) => Element | undefined }
}

/**
 * The tree mammoth makes of the archive, taken as it passes by: the HTML it would write is the same again as text, and would have to be
 * parsed. It is given an empty document to write instead, so that images are never opened.
 */
export const readDocument = async (archive: Buffer): Promise<Element | undefined> => {
  let document: Element | undefined
  await mammoth.convertToHtml(
    { buffer: archive },
    {
      externalFileAccess: false,
      includeEmbeddedStyleMap: false,
      transformDocument: (found: Element) => {
        document = found
        return { ...found, children: [], comments: [] }
      },
    },
  )
  return document
}

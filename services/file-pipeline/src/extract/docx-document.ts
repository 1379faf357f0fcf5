import mammoth from 'mammoth'

/** The fields of mammoth's tree that the extractor reads. */
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
 * Returns mammoth's document tree. The tree is captured during the conversion, because mammoth's HTML would have to be
 * parsed again. mammoth then converts an empty document, so that it never opens images.
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

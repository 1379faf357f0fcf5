import { escapeAttribute } from '../shared/flow.ts'
import { type Attribute, type Handler, type NamedHandlers, on } from '../shared/xml-steps.ts'
import type { DocxContext } from './context.ts'

const idOf = (attribute: Attribute): string => attribute('id') ?? ''

/** Handles footnotes, endnotes and comments, and the references to them. */
export const noteHandlers = (context: DocxContext): NamedHandlers => {
  const { flow } = context
  const reference = (name: string): Handler =>
    on((attribute) => context.addElement(`<w:${name} w:id="${escapeAttribute(idOf(attribute))}"/>`))
  const note =
    (name: string, key: 'type' | 'author', fallback: string): Handler =>
    (attribute) => {
      const own = escapeAttribute(attribute(key) ?? fallback)
      flow.write(`<w:${name} w:id="${escapeAttribute(idOf(attribute))}" w:${key}="${own}">`)
      flow.beginFrame()
      return {
        end: () => {
          flow.endFrame()
          flow.write(`</w:${name}>`)
        },
      }
    }
  return {
    footnoteReference: reference('footnoteReference'),
    endnoteReference: reference('endnoteReference'),
    footnote: note('footnote', 'type', 'normal'),
    endnote: note('endnote', 'type', 'normal'),
    comment: note('comment', 'author', ''),
    commentRangeStart: on((attribute) => context.beginComment(idOf(attribute))),
    commentRangeEnd: on((attribute) => context.endComment(idOf(attribute))),
  }
}

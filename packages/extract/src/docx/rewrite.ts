import {
  alternativeHandlers,
  type Handler,
  type Handlers,
  handleEach,
  handlersOf,
  on,
  skip,
  xmlSteps,
} from '../shared/xml-steps.ts'
import { DocxContext, type DocxShared, type PartOptions } from './context.ts'
import { drawingHandlers } from './drawings.ts'
import { fieldHandlers } from './fields.ts'
import { noteHandlers } from './note-steps.ts'
import { paragraphHandlers } from './paragraph-steps.ts'
import { runHandlers } from './run-steps.ts'
import { tableHandlers } from './table-steps.ts'

// Readings of annotated characters (`rt`) would split the words they annotate.
const leftOut = 'del moveFrom rt rubyPr sectPr sdtEndPr smartTagPr customXmlPr delText delInstrText fldData'.split(' ')

/** Content that mammoth does not support becomes text, including list numbers. Holds the output, and one tag. */
export const docxRewriter = (shared: DocxShared, part: PartOptions = {}) => {
  const context = new DocxContext(shared, part)
  const alternatives = alternativeHandlers(() => context.seen)
  const unread = (kind: Parameters<typeof context.noteUnread>[0]): Handler => on(() => context.noteUnread(kind))
  let hasBody = false
  const content: Handlers = handlersOf({
    ...alternatives,
    ...paragraphHandlers(context),
    ...runHandlers(context),
    ...fieldHandlers(context),
    ...tableHandlers(context),
    ...noteHandlers(context),
    ...drawingHandlers(context, () => content, alternatives),
    ...handleEach(leftOut, skip),
    body: on(() => {
      hasBody = true
    }),
    altChunk: unread('import'),
    subDoc: unread('subdocument'),
    contentPart: unread('ink'),
  })
  return {
    handler: xmlSteps(content),
    end: (): string => context.flow.end(),
    hasBody: (): boolean => hasBody,
  }
}

import type { MimeNode } from '@zone-eu/mailsplit'
import type { ExtractEvent } from '../block.ts'
import type { BlockWriter } from '../block-writer.ts'
import { headerLines, type MailHeaders } from './mail-headers.ts'
import { isWithin } from './mail-parts.ts'
import type { TextPart } from './part-text.ts'

/** Limit of a part of text in bytes, and of each form of an alternative in UTF-16 units. */
export const maxTextBytes = 8 * 1024 * 1024
/** HTML with this many times the text of the plain form says more than that, which may be a mere hint to open it. */
const muchLonger = 5

/** Yields the paragraphs one by one: a text may have millions of them. */
function* paragraphsOf(text: string): Generator<string> {
  let from = 0
  for (const { index } of text.matchAll(/\n[^\S\n]*(?=\n)/g)) {
    if (index > from) yield text.slice(from, index)
    from = index
  }
  yield text.slice(from)
}

/** Writes the headers and texts of one message, of alternative texts one. */
export const mailText = (writer: BlockWriter, level: number) => {
  /** The outermost alternative, with all texts within it. */
  let alternative: { readonly node: MimeNode; plain: string; html: string } | undefined
  let subject = ''
  let isBelowAnother = false
  let isEmpty = true

  const heading = (): ExtractEvent[] =>
    writer.block({ kind: 'heading', level: Math.min(6, level), text: subject, at: {} })

  const cut = (): ExtractEvent[] =>
    writer.note('truncated', 'A text of the mail is longer than 8 MiB; the rest of it was not read.')

  function* write(text: string): Generator<ExtractEvent> {
    if (!/\S/.test(text)) return
    if (isBelowAnother) yield* heading()
    isBelowAnother = false
    isEmpty = false
    for (const paragraph of paragraphsOf(text)) yield* writer.block({ kind: 'text', text: paragraph, at: {} })
  }

  function* endAlternative(): Generator<ExtractEvent> {
    if (!alternative) return
    const { plain, html } = alternative
    alternative = undefined
    yield* write(plain.trim().length * muchLonger < html.trim().length ? html : plain)
  }

  return {
    isEmpty: (): boolean => isEmpty,

    *begin(headers: MailHeaders): Generator<ExtractEvent> {
      subject = headers.subject
      yield* heading()
      yield* writer.block({ kind: 'text', text: headerLines(headers), at: {} }, true)
    },

    /** Call it with each part before its text is added. */
    *enter(node: MimeNode): Generator<ExtractEvent> {
      if (alternative && !isWithin(node, alternative.node)) yield* endAlternative()
      if (node.contentType === 'multipart/alternative') alternative ??= { node, plain: '', html: '' }
    },

    *add({ kind, text }: TextPart): Generator<ExtractEvent> {
      if (!alternative) {
        yield* write(text)
        return
      }
      const room = Math.max(0, maxTextBytes - alternative[kind].length)
      if (text.length > room) yield* cut()
      alternative[kind] += `${text.slice(0, room)}\n\n`
    },

    cut,

    /** Repeats the subject before the next text, which would otherwise stand below that of an inner message. */
    leaveMessage(): void {
      isBelowAnother = true
    },

    end: endAlternative,
  }
}

import type { MimeNode } from '@zone-eu/mailsplit'
import type { ExtractEvent } from '../block.ts'
import type { BlockWriter } from '../shared/block-writer.ts'
import { headerLines, type MailHeaders } from './mail-headers.ts'
import { isWithin } from './mail-parts.ts'
import type { TextPart } from './part-text.ts'

/** Bytes of a text part; UTF-16 units of each form of an alternative. */
export const maxTextBytes = 8 * 1024 * 1024
const comparedUnits = 100_000
/** Words of a plain form that only says to open the HTML form. */
const hint = /\b(?:html|browser|webbrowser|navegador|navigateur|online|webversion)\b/iu

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .slice(0, comparedUnits)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  )

/** Whether the plain form lacks most words of the HTML form and is a hint or says less itself. */
const isStub = (plain: string, html: string): boolean => {
  const [inPlain, inHtml] = [wordsOf(plain), wordsOf(html)]
  const missing = inHtml.difference(inPlain).size
  return missing * 2 > inHtml.size && (missing > inPlain.difference(inHtml).size || hint.test(plain))
}

/** A text may have millions. */
function* paragraphsOf(text: string): Generator<string> {
  let from = 0
  for (const { index } of text.matchAll(/\n[^\S\n]*(?=\n)/g)) {
    if (index > from) yield text.slice(from, index)
    from = index
  }
  yield text.slice(from)
}

/** Writes one message; of alternative texts, only one. */
export const mailText = (writer: BlockWriter, level: number) => {
  /** The outermost open alternative. */
  let alternative: { readonly node: MimeNode; plain: string; html: string; calendar: string } | undefined
  const invitations = new Set<string>()
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

  /** Leaves out paragraphs that the mail already has: most mails repeat the invitation's text. */
  function* writeCalendar(calendar: string, text = ''): Generator<ExtractEvent> {
    const all = calendar.split('\n\n')
    const paragraphs = all.filter((one) => !text.includes(one) && !invitations.has(one))
    for (const paragraph of all) invitations.add(paragraph)
    yield* write(paragraphs.join('\n\n'))
  }

  function* endAlternative(): Generator<ExtractEvent> {
    if (!alternative) return
    const { plain, html, calendar } = alternative
    alternative = undefined
    const text = isStub(plain, html) ? html : plain
    yield* write(text)
    yield* writeCalendar(calendar, text)
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
      if (node.contentType === 'multipart/alternative') alternative ??= { node, plain: '', html: '', calendar: '' }
    },
    *add({ kind, text }: TextPart): Generator<ExtractEvent> {
      if (!alternative) {
        yield* kind === 'calendar' ? writeCalendar(text) : write(text)
        return
      }
      const room = Math.max(0, maxTextBytes - alternative[kind].length)
      if (text.length > room) yield* cut()
      alternative[kind] += `${text.slice(0, room)}\n\n`
    },
    cut,
    /** Repeats the subject before the next text, which would otherwise appear below that of an inner message. */
    leaveMessage(): void {
      isBelowAnother = true
    },
    end: endAlternative,
  }
}

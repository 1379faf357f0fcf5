import { unreadable } from '../unreadable.ts'

/** Blank lines, and the line that begins a mail in a mailbox (mbox). */
export const envelope = /^(?:[ \t]*\r?\n)*(?:>?From [^\n]*\n)?/
/** Below a header, such a line begins an attached mail. */
const nextMail = /\n\r?\nFrom (?<!\n(?:[!-9;-~]+:|[ \t])[^\n]{0,1000}\n\r?\nFrom )[^\n]*\d:\d\d[^\n]*\n[!-9;-~]+:/
/** Bytes of an envelope, and of a match of `nextMail`. */
const maxBytes = 4096

/** Throws `PermanentError` for a mailbox of several mails. */
export async function* withoutEnvelope(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting = Buffer.alloc(0)
  let isMailbox: boolean | undefined
  let tail = ''
  const next = (bytes: Buffer): Buffer => {
    const found = isMailbox === undefined ? (envelope.exec(bytes.toString('latin1', 0, maxBytes))?.[0] ?? '') : ''
    isMailbox ??= found.includes('From ')
    if (!isMailbox) return bytes.subarray(found.length)
    const text = tail + bytes.toString('latin1')
    if (nextMail.test(text))
      throw unreadable('content_mismatch', 'The file is a mailbox (mbox), of which each mail must be a file.')
    tail = text.slice(-maxBytes)
    return bytes.subarray(found.length)
  }
  for await (const piece of source) {
    waiting = Buffer.concat([waiting, piece])
    if (isMailbox === undefined && waiting.length < maxBytes) continue
    yield next(waiting)
    waiting = Buffer.alloc(0)
  }
  if (waiting.length > 0) yield next(waiting)
}

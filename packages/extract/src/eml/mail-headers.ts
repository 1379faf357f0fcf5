import type { MimeNode } from '@zone-eu/mailsplit'
import { Libmime } from 'libmime'
import type { FileProperties } from '../block.ts'
import { cleanText, oneLine } from '../shared/clean-text.ts'

/** UTF-16 units, cut before decoding. */
const maxRawUnits = 64 * 1024
const maxUnits = 1000
const mime = new Libmime()

const headerOf = ({ headers }: MimeNode, name: string): string => {
  const raw = headers ? headers.getFirst(name).slice(0, maxRawUnits) : ''
  return oneLine(cleanText(mime.decodeWords(raw)))
    .slice(0, maxUnits)
    .toWellFormed()
}

export type MailHeaders = {
  readonly subject: string
  readonly from: string
  readonly to: string
  readonly cc: string
  readonly date: string
  readonly messageId: string
}

export const mailHeaders = (node: MimeNode): MailHeaders => ({
  subject: headerOf(node, 'subject'),
  from: headerOf(node, 'from'),
  to: headerOf(node, 'to'),
  cc: headerOf(node, 'cc'),
  date: headerOf(node, 'date'),
  messageId: headerOf(node, 'message-id'),
})

/** Invalid dates remain. Comments are dropped, because they only name the time zone. */
const isoDate = (date: string): string => {
  const time = Date.parse(date.replace(/\([^()]*\)/g, ''))
  return Number.isNaN(time) ? date : new Date(time).toISOString()
}

export const mailProperties = ({ subject, from, to, cc, date, messageId }: MailHeaders): FileProperties =>
  Object.fromEntries(
    Object.entries({ title: subject, from, to, cc, date: isoDate(date), message_id: messageId }).filter(
      ([, value]) => value !== '',
    ),
  )

export const headerLines = ({ from, to, cc, date }: MailHeaders): string =>
  Object.entries({ From: from, To: to, Cc: cc, Date: date })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

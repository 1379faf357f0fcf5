import { isAscii, isUtf8 } from 'node:buffer'
import type { MimeNode } from '@zone-eu/mailsplit'
import iconv from 'iconv-lite'
import { Libmime } from 'libmime'
import { createDecodeStream, decode } from 'libmime/lib/charset'
import type { ExtractEvent } from '../block.ts'
import type { BlockWriter } from '../shared/block-writer.ts'
import { countUtf8, isNearlyUtf8, isUtf8Despite } from '../shared/encoding/count-utf8.ts'
import { guessEncoding } from '../shared/encoding/guess-encoding.ts'
import { withShownAddresses } from '../shared/link-address.ts'
import { calendarText } from './calendar-text.ts'
import { htmlText } from './html-text.ts'
import { calendarTypes, notReadMessage } from './part-kind.ts'
import { withoutUuencoded } from './uuencoded.ts'

const sampleBytes = 128 * 1024
const metaCharset = /<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?([\w.:-]{1,40})/i
const mime = new Libmime()

/** Returns the declared charset if it is known and the bytes may be encoded in it. */
const declaredCharset = (charset: string | undefined, bytes: Buffer): string | undefined => {
  if (charset === undefined || !createDecodeStream(charset).supported) return undefined
  // Many programs declare ASCII or UTF-8 whatever the text.
  if (/^(?:us-)?ascii$|^ansi_x3/i.test(charset) && !isAscii(bytes)) return undefined
  if (/^utf-?8$/i.test(charset) && !isUtf8(bytes) && !isNearlyUtf8(countUtf8(bytes))) return undefined
  return isUtf8Despite(charset, countUtf8(bytes)) && !/^utf-?8$/i.test(charset) ? 'utf-8' : charset
}

type Decoded = { readonly text: string; readonly charset: string; readonly isGuessed: boolean }

const decodeBytes = (bytes: Buffer, declared: string | undefined, requested: string | undefined): Decoded => {
  // libmime refuses UTF-7, which can hide markup from filters; here, nothing runs markup.
  if (/^(?:unicode-1-1-)?utf-?7$/i.test(declared ?? ''))
    return { text: iconv.decode(bytes, 'utf-7'), charset: 'utf-7', isGuessed: false }
  const known = declaredCharset(declared, bytes) ?? declaredCharset(requested, bytes)
  if (known !== undefined) return { text: decode(bytes, known), charset: known, isGuessed: false }
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), charset: 'utf-8', isGuessed: false }
  const charset = guessEncoding(bytes.subarray(0, sampleBytes)) ?? 'windows-1252'
  return { text: decode(bytes, charset), charset, isGuessed: true }
}

export type TextPart = { readonly kind: 'plain' | 'html' | 'calendar'; readonly text: string }

export const readTextPart = (
  node: MimeNode,
  bytes: Buffer,
  requested: string | undefined,
  writer: BlockWriter,
): { readonly part: TextPart; readonly notes: readonly ExtractEvent[] } => {
  const type = node.contentType || ''
  const kind = type === 'text/html' ? 'html' : calendarTypes.test(type) ? 'calendar' : 'plain'
  const inHtml = kind === 'html' ? metaCharset.exec(bytes.toString('latin1', 0, 4096))?.[1] : undefined
  const { text, charset, isGuessed } = decodeBytes(bytes, node.charset || inHtml, requested)
  const notes: ExtractEvent[] = []
  if (isGuessed)
    notes.push(
      ...writer.note('encoding_guessed', `A part of the mail states no encoding that fits and was read as ${charset}.`),
    )
  const replaced = text.split('\ufffd').length - 1
  if (replaced > 0)
    notes.push(
      ...writer.note('bytes_replaced', `${replaced} characters of a part are not valid ${charset} and became U+FFFD.`),
    )
  const lines = text.replace(/\r\n?/g, '\n')
  if (kind === 'html') {
    const page = htmlText(lines)
    return { part: { kind, text: page.text }, notes: [...notes, ...page.notes] }
  }
  if (kind === 'calendar') return { part: { kind, text: calendarText(lines) }, notes }
  const { text: prose, names } = withoutUuencoded(node.flowed ? mime.decodeFlowed(lines, node.delSp) : lines)
  for (const name of names) notes.push(...writer.note('content_not_read', notReadMessage(name, 'uuencoded')))
  return { part: { kind, text: withShownAddresses(prose) }, notes }
}

import iconv from 'iconv-lite'
import { seededRandom } from '../seeded-random.ts'
import type { CreateMaterial, KnownSentence } from './material.ts'
import { createSentenceGenerator } from './sentences.ts'
import { escapeXml } from './zip-writer.ts'

const lineUnits = 76

const inLines = (text: string, units: number): string[] => {
  const lines: string[] = []
  for (let index = 0; index < text.length; index += units) lines.push(text.slice(index, index + units))
  return lines
}

const quotedPrintable = (bytes: Buffer): string => {
  const lines: string[] = []
  let line = ''
  for (const byte of bytes) {
    if (byte === 0x0a) {
      lines.push(line)
      line = ''
      continue
    }
    const isPlain = byte === 0x20 || (byte > 0x20 && byte < 0x7f && byte !== 0x3d)
    const sign = isPlain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
    if (line.length + sign.length >= lineUnits) {
      lines.push(`${line}=`)
      line = ''
    }
    line += sign
  }
  return [...lines, line].join('\r\n')
}

export type TransferEncoding = '8bit' | 'quoted-printable' | 'base64'

/** Creates a part with text. Bytes of the encoding `8bit` are represented as Latin-1 characters. */
export const textPart = (
  type: string,
  text: string,
  charset: string,
  encoding: TransferEncoding,
  more: readonly string[] = [],
): string => {
  const bytes = iconv.encode(text, charset)
  const body = {
    '8bit': () => bytes.toString('latin1').replaceAll('\n', '\r\n'),
    'quoted-printable': () => quotedPrintable(bytes),
    base64: () => inLines(bytes.toString('base64'), lineUnits).join('\r\n'),
  }[encoding]()
  return [
    `Content-Type: ${type}; charset=${charset}`,
    `Content-Transfer-Encoding: ${encoding}`,
    ...more,
    '',
    body,
  ].join('\r\n')
}

export const multipart = (kind: string, boundary: string, parts: readonly string[]): string =>
  [
    `Content-Type: multipart/${kind}; boundary="${boundary}"`,
    '',
    ...parts.map((part) => `--${boundary}\r\n${part}`),
    `--${boundary}--`,
    '',
  ].join('\r\n')

export const attachment = (name: string, bytes: Buffer): string =>
  [
    `Content-Type: application/octet-stream; name="${name}"`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${name}"`,
    '',
    ...inLines(bytes.toString('base64'), lineUnits),
  ].join('\r\n')

export const encodedWord = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`

/** Creates a whole message. `content` begins with the headers of the body. */
export const mail = (subject: string, content: string): string =>
  [
    'Received: from mail.example.org by mx.example.org; Mon, 02 Mar 2026 09:15:00 +0000',
    `From: ${encodedWord('Ann Moore')} <ann@example.org>`,
    'To: "Ben, the gardener" <ben@example.org>,',
    ' carla@example.org',
    `Subject: ${subject}`,
    'Date: Mon, 02 Mar 2026 10:15:00 +0100 (CET)',
    'Message-ID: <1@example.org>',
    'MIME-Version: 1.0',
    content,
  ].join('\r\n')

const charsets = { 'utf-8': undefined, 'windows-1252': 'french', 'koi8-r': 'russian', shift_jis: 'japanese' } as const

/**
 * Creates a message with plain text and HTML as alternatives, attachments and forwarded messages, in several encodings.
 */
export const createEml: CreateMaterial = async (seed, { sentences: requestedCount } = {}) => {
  const random = seededRandom(seed)
  const { sentence, title } = createSentenceGenerator(random)
  const knownSentences: KnownSentence[] = []
  const count = requestedCount ?? 20 + random.below(40)

  const text = (headings: readonly string[], charset: keyof typeof charsets, until: number): string[] => {
    const paragraphs: string[] = []
    while (knownSentences.length < until) {
      const language = charsets[charset] ?? random.pick(['english', 'arabic', 'german', 'chinese'])
      const said = [sentence('english'), sentence(random.chance(0.3) ? language : 'english')]
      for (const one of said) knownSentences.push({ text: one, headings })
      paragraphs.push(`${random.chance(0.2) ? '> ' : ''}${said.join(' ')}`)
    }
    return paragraphs
  }
  const body = (headings: readonly string[], boundary: string, until: number): string => {
    const charset = random.pick(Object.keys(charsets) as (keyof typeof charsets)[])
    const encoding = random.pick(['8bit', 'quoted-printable', 'base64'] as const)
    const paragraphs = text(headings, charset, until)
    const plain = textPart('text/plain', paragraphs.join('\n\n'), charset, encoding)
    const rows = paragraphs.map((one) => `<p>${escapeXml(one)}</p>`).join('\n')
    const html = textPart(
      'text/html',
      `<html><head><style>p { color: red }</style></head><body>${rows}</body></html>`,
      charset,
      encoding,
    )
    const form = random.below(3)
    if (form === 0) return plain
    return form === 1 ? html : multipart('alternative', boundary, [plain, html])
  }

  const subject = title()
  const parts = [body([subject], 'alternative-1', Math.ceil(count / 2))]
  if (random.chance(0.5)) parts.push(attachment('drawing.bin', Buffer.from('bytes of a drawing')))
  const forwarded = title()
  const inner = mail(forwarded, body([subject, forwarded], 'alternative-2', count))
  parts.push(
    `Content-Type: message/rfc822\r\nContent-Disposition: ${random.pick(['inline', 'attachment'])}\r\n\r\n${inner}`,
  )
  const bytes = Buffer.from(mail(encodedWord(subject), multipart('mixed', 'mixed', parts)), 'latin1')
  return { bytes, truth: { sentences: knownSentences, title: subject } }
}

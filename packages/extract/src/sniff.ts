import { open, stat } from 'node:fs/promises'
import type { FileType } from '@cairn/contracts/files/file-rules'
import { fileTypeFromBuffer } from 'file-type'
import { envelope } from './eml/envelope.ts'
import { pictureKind } from './picture/shape.ts'
import { plainBytes } from './shared/controls.ts'
import { byteOrderMark, withoutLeadingZeros } from './shared/encoding/encoding.ts'
import { guessUtf16 } from './shared/encoding/guess-encoding.ts'
import { mainPart, readSmallXml } from './shared/office-part.ts'
import { openZip } from './shared/zip-check.ts'
import { unreadable } from './unreadable.ts'

const headBytes = 64 * 1024
/** Bytes of zeros that a text file may begin with. */
const maxZeros = 64 * 1024 * 1024

const mismatch = (type: FileType, found: string) =>
  unreadable('content_mismatch', `The file's name says ${type}; its content is ${found}.`)

/** Skips leading zeros. */
const readHead = async (path: string): Promise<Buffer> => {
  const file = await open(path)
  try {
    const readAt = async (position: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, position)
      return buffer.subarray(0, bytesRead)
    }
    const first = await readAt(0)
    for (let bytes = first, position = 0; bytes.length > 0 && position < maxZeros; ) {
      const head = withoutLeadingZeros(bytes)
      if (head.length > 0) return head
      position += bytes.length
      bytes = await readAt(position)
    }
    return first
  } finally {
    await file.close()
  }
}

const mainTypes = {
  docx: /(?:wordprocessingml|ms-word)\.(?:document|template)\S*\.main\+xml$/,
  xlsx: /(?:spreadsheetml|ms-excel)\.(?:sheet|template)\S*\.main\+xml$/,
  pptx: /(?:presentationml|ms-powerpoint)\.(?:presentation|slideshow|template)\S*\.main\+xml$/,
} as const
type OfficeType = keyof typeof mainTypes
const isOffice = (type: FileType): type is OfficeType => Object.hasOwn(mainTypes, type)

/** The content type of the main part must match `type`. */
const checkOffice = async (path: string, type: OfficeType, head: Buffer): Promise<void> => {
  // The older container format, which also wraps password-protected new files.
  if (head.subarray(0, 8).equals(Buffer.from('d0cf11e0a1b11ae1', 'hex'))) {
    const name = Buffer.from('EncryptedPackage', 'utf16le')
    if (await contains(path, name)) throw unreadable('encrypted', 'The file is protected by a password.')
    throw mismatch(type, 'of an older or another program')
  }
  if (!head.subarray(0, 4).equals(Buffer.from('504b0304', 'hex'))) throw mismatch(type, 'no Office file')
  const zip = await openZip(path)
  try {
    if (!zip.entries.has('[Content_Types].xml')) throw mismatch(type, 'an archive without a document')
    const main = await mainPart(zip)
    const types = new Map<string, string>()
    const defaults = new Map<string, string>()
    await readSmallXml(zip, '[Content_Types].xml', {
      open(name, attribute) {
        const content = attribute('ContentType') ?? ''
        if (name === 'Override') types.set((attribute('PartName') ?? '').replace(/^\//, '').toLowerCase(), content)
        if (name === 'Default') defaults.set((attribute('Extension') ?? '').toLowerCase(), content)
      },
    })
    const found =
      types.get(main.toLowerCase()) ?? defaults.get(main.slice(main.lastIndexOf('.') + 1).toLowerCase()) ?? ''
    if (!mainTypes[type].test(found)) throw mismatch(type, 'another kind of Office file')
  } finally {
    zip.close()
  }
}

/** Looks in the first and last megabyte, where the directory of an OLE compound file usually is. */
const contains = async (path: string, bytes: Buffer): Promise<boolean> => {
  const { size } = await stat(path)
  const file = await open(path)
  try {
    const length = 1024 * 1024
    for (const position of [0, Math.max(0, size - length)]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
      if (buffer.subarray(0, bytesRead).includes(bytes)) return true
    }
    return false
  } finally {
    await file.close()
  }
}

const headText = async (head: Buffer): Promise<string | undefined> => {
  const mark = byteOrderMark(head)
  if (mark?.name === 'utf-8') return headText(head.subarray(mark.mark))
  if (mark) return head.subarray(mark.mark).toString('latin1').replaceAll('\0', '')
  if (head.includes(0) && guessUtf16(head)) return head.toString('latin1').replaceAll('\0', '')
  const plain = plainBytes(head)
  // A short file of another type may contain few control characters.
  const isOther = plain && plain.length < head.length && (await fileTypeFromBuffer(head))
  return isOther && !/^text|xml/.test(isOther.mime) ? undefined : plain?.toString('latin1')
}

/** There must be a container description, and no declared type other than EPUB. */
const checkBook = async (path: string, head: Buffer): Promise<void> => {
  if (!head.subarray(0, 4).equals(Buffer.from('504b0304', 'hex'))) throw mismatch('epub', 'no archive')
  const zip = await openZip(path)
  try {
    if (!zip.entries.has('META-INF/container.xml')) throw mismatch('epub', 'an archive without a book')
    let type = ''
    if ((zip.entries.get('mimetype')?.uncompressedSize ?? Infinity) < 1_000)
      for await (const chunk of zip.read('mimetype')) type += chunk.toString('latin1')
    if (/^application\/(?!epub|x-ibooks)/.test(type.trim())) throw mismatch('epub', `of the type ${type.trim()}`)
  } finally {
    zip.close()
  }
}

/** Printable characters, but not plain text. */
const programText = /^\s*(?:%PDF-|\{\\rtf|%!PS)/
const webPage = /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype\s+html|html|head|body|script|\?xml)\b/i
const jsonStart = /^\s*(?:[[{"]|-?\d|(?:true|false|null)\b)/

/** Before the root element. */
const prologue = /^(?:\s+|<\?[^>]*>|<!--[\s\S]*?-->)*/
const htmlRoot = /^<(?:!doctype\s+html|html)\b/i
const otherRoot = /^<!doctype\s+(?!html\b)/i
const htmlTag =
  /<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|main|article|section|nav|header|footer|h[1-6]|p|div|span|pre|ul|ol|dl|table|form|figure|details|blockquote|center|font|frameset|a|b|i|em|strong|br|hr|img)[\s/>]/i
const archiveHeader = /^(?:From|Subject|Date|MIME-Version|Content-Type|Snapshot-Content-Location): /i

const checkPage = (text: string): void => {
  const before = prologue.exec(text)?.[0] ?? ''
  const root = text.slice(before.length)
  if (otherRoot.test(root) || (before.includes('<?xml') && !htmlRoot.test(root))) throw mismatch('html', 'XML')
  if (archiveHeader.test(root)) throw mismatch('html', 'a mail or an archive of a web page')
  if (!htmlTag.test(text)) throw mismatch('html', 'no HTML')
}

const checkText = async (type: 'csv' | 'json' | 'txt' | 'md' | 'html', head: Buffer): Promise<void> => {
  const text = await headText(head)
  if (text === undefined) {
    const found = await fileTypeFromBuffer(head)
    throw mismatch(type, found ? `of the type ${found.mime}` : 'no text')
  }
  if (programText.test(text)) throw mismatch(type, 'a document of another program')
  if (type === 'html') checkPage(text)
  if ((type === 'csv' || type === 'json') && webPage.test(text)) throw mismatch(type, 'a web page or XML')
  if (type === 'json' && text.trim() !== '' && !jsonStart.test(text)) throw mismatch(type, 'no JSON')
}

const headerLine = /^[!-9;-~]+[ \t]*:/
const mailHeader =
  /^(?:from|to|cc|date|subject|sender|reply-to|received|return-path|delivered-to|message-id|in-reply-to|references|mime-version|content-type)[ \t]*:/i
const minMailHeaders = 2

/** Other lines may stand between mail headers. */
const checkMail = (head: Buffer): void => {
  const lines = head.toString('latin1').replace(envelope, '').split(/\r?\n/)
  const end = lines.indexOf('')
  const headers = end === -1 ? lines : lines.slice(0, end)
  if (!headerLine.test(lines[0] ?? '') || headers.filter((line) => mailHeader.test(line)).length < minMailHeaders)
    throw mismatch('eml', 'no mail with headers')
}

/** Throws `PermanentError` unless the beginning of the file (for archives, the directory) matches the type. */
export const sniff = async (path: string, type: FileType): Promise<void> => {
  const head = await readHead(path)
  if (head.length === 0) throw unreadable('empty_file', 'The file has no bytes.')
  if (type === 'png') {
    if (!pictureKind(head))
      throw unreadable('content_mismatch', "The file's name is that of a picture, but its content is not a picture.")
  } else if (type === 'pdf') {
    // PDF readers accept a few bytes before the signature.
    if (!head.subarray(0, 1024).includes('%PDF-')) throw mismatch(type, 'no PDF')
  } else if (type === 'eml') {
    checkMail(head)
  } else if (isOffice(type)) {
    await checkOffice(path, type, head)
  } else if (type === 'epub') {
    await checkBook(path, head)
  } else {
    await checkText(type, head)
  }
}

import { open } from 'node:fs/promises'
import iconv from 'iconv-lite'
import { byteOrderMark } from '../shared/encoding/encoding.ts'
import { unreadable } from '../unreadable.ts'

export const headBytes = 16 * 1024
const maxTag = 1_000

const inXml = /^\s*<\?xml\s[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]+)/i
const inMeta = new RegExp(`<meta\\s[^>]{0,${maxTag}}?\\bcharset\\s*=\\s*["']?\\s*([\\w.:-]+)`, 'i')

const nameOf = (label: string): string | undefined => {
  try {
    const { encoding } = new TextDecoder(label)
    // The declaration was readable as ASCII, so the page is not UTF-16.
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding
  } catch {
    return undefined
  }
}

/** Throws `PermanentError` if there is no decoder for the declared encoding. */
export const encodingIn = (head: Buffer): string | undefined => {
  const text = head.toString('latin1').replace(/<!--[\s\S]*?-->/g, '')
  const label = (inXml.exec(text) ?? inMeta.exec(text))?.[1]
  const name = label && nameOf(label)
  if (!name) return undefined
  if (!iconv.encodingExists(name))
    throw unreadable('unknown_encoding', `The page is in the encoding "${name}", which is not supported.`)
  return name
}

/** Returns undefined if an encoding is requested or the page has a byte order mark, which take precedence. */
export const declaredEncoding = async (path: string, requested?: string): Promise<string | undefined> => {
  if (requested !== undefined) return undefined
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const head = buffer.subarray(0, bytesRead)
    return byteOrderMark(head) ? undefined : encodingIn(head)
  } finally {
    await file.close()
  }
}

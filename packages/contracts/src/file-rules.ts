import { limits } from './limits.ts'
import { utf8Length } from './text.ts'

const contentTypes: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.json': 'application/json',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.md': 'text/markdown',
}

/** With their dots, in the order of the specification. */
export const fileExtensions: readonly string[] = Object.keys(contentTypes)

/** The extension of a name in small letters with its dot; empty where nothing stands before or after the dot. */
export const extensionOf = (name: string): string => {
  const last = name.slice(name.lastIndexOf('/') + 1)
  const dot = last.lastIndexOf('.')
  return dot > 0 && dot < last.length - 1 ? last.slice(dot).toLowerCase() : ''
}

/** What a file of this name is; undefined for types that are not taken. */
export const contentTypeOf = (name: string): string | undefined => {
  const extension = extensionOf(name)
  return Object.hasOwn(contentTypes, extension) ? contentTypes[extension] : undefined
}

/** `requirement` completes the sentence "<field> …"; `type`: the extension, where that alone is what is wrong. */
export type FileNameCheck =
  | { readonly ok: true; readonly name: string; readonly contentType: string }
  | { readonly ok: false; readonly requirement: string; readonly type?: string }

/** Control characters, and what XML, in which stores list their objects, has no place for. */
const unfit = /[\p{Cc}\uFFFE\uFFFF]/u

const faultOf = (name: string): string | undefined => {
  if (name === '') return 'must not be empty'
  if (!name.isWellFormed()) return 'must be well-formed Unicode, without lone surrogates'
  if (unfit.test(name)) return 'must not contain control characters, U+FFFE or U+FFFF'
  if (name.includes('\\')) return 'must not contain a backslash; folders are separated by "/"'
  if (name.startsWith('/')) return 'must be a relative path, without "/" at its beginning'
  if (utf8Length(name) > limits.fileNameBytes) return `must be at most ${limits.fileNameBytes} bytes of UTF-8`
  const segments = name.split('/')
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
    return 'must not contain a segment that is empty, "." or ".."'
  }
  const long = segments.some((segment) => utf8Length(segment) > limits.fileNameSegmentBytes)
  return long ? `must have at most ${limits.fileNameSegmentBytes} bytes of UTF-8 between slashes` : undefined
}

/**
 * The one form of a file's name: a path below the namespace. Composed and decomposed spellings are one name (NFC); besides that nothing
 * is changed, and no character has a meaning but the slash.
 */
export const checkFileName = (sent: string): FileNameCheck => {
  // What is longer than this stays too long when it is composed.
  const isHuge = sent.length > 3 * limits.fileNameBytes
  const name = isHuge || !sent.isWellFormed() ? sent : sent.normalize('NFC')
  const fault = faultOf(name)
  if (fault !== undefined) return { ok: false, requirement: fault }
  const contentType = contentTypeOf(name)
  if (contentType !== undefined) return { ok: true, name, contentType }
  return { ok: false, requirement: `must end in one of ${fileExtensions.join(', ')}`, type: extensionOf(name) }
}

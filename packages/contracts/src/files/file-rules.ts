import { limits } from '../limits.ts'
import { utf8Length, withShortMarks } from '../text/text.ts'

const contentTypes = {
  '.pdf': 'application/pdf',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.json': 'application/json',
  '.txt': 'text/plain',
  '.csv': 'text/csv',
  '.md': 'text/markdown',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.eml': 'message/rfc822',
  '.epub': 'application/epub+zip',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.tiff': 'image/tiff',
  '.tif': 'image/tiff',
  '.webp': 'image/webp',
} as const satisfies Readonly<Record<`.${string}`, string>>

type Extension = keyof typeof contentTypes

/** Aliases of another extension's type. Pictures are one type, named like the first. */
const otherNames = {
  '.htm': 'html',
  '.jpg': 'png',
  '.jpeg': 'png',
  '.tiff': 'png',
  '.tif': 'png',
  '.webp': 'png',
} as const satisfies Readonly<Partial<Record<Extension, string>>>

/** Main extension, without the dot. */
export type FileType = Exclude<Extension, keyof typeof otherNames> extends `.${infer Type}` ? Type : never

/** With dots: the specification's in its order, then the others. */
export const fileExtensions = Object.keys(contentTypes) as readonly Extension[]

const typeOf = (extension: Extension): FileType =>
  extension in otherNames ? otherNames[extension as keyof typeof otherNames] : (extension.slice(1) as FileType)

export const fileTypes: readonly FileType[] = [...new Set(fileExtensions.map(typeOf))]

/** Returns lower case with the dot; empty if the text before or after the dot is empty. */
export const extensionOf = (name: string): string => {
  const last = name.slice(name.lastIndexOf('/') + 1)
  const dot = last.lastIndexOf('.')
  return dot > 0 && dot < last.length - 1 ? last.slice(dot).toLowerCase() : ''
}

/** Returns undefined for unsupported types. */
export const contentTypeOf = (name: string): string | undefined => {
  const extension = extensionOf(name)
  return Object.hasOwn(contentTypes, extension) ? contentTypes[extension as Extension] : undefined
}

/** Returns undefined for unsupported types. */
export const fileTypeOf = (name: string): FileType | undefined => {
  const extension = extensionOf(name)
  return Object.hasOwn(contentTypes, extension) ? typeOf(extension as Extension) : undefined
}

/** `requirement` completes the sentence "<field> …"; `type`: the extension, if only that is invalid. */
export type FileNameCheck =
  | { readonly ok: true; readonly name: string; readonly contentType: string }
  | { readonly ok: false; readonly requirement: string; readonly type?: string }

/** Control characters, and some that XML can't represent, in which object stores list objects. */
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

/** Returns NFC, unless no file can have the name, or normalizing would take quadratic time. */
export const composedName = (sent: string): string => {
  // Exceeds the limit in composed form, too.
  const isHuge = sent.length > 3 * limits.fileNameBytes
  return isHuge || !sent.isWellFormed() || withShortMarks(sent) !== sent ? sent : sent.normalize('NFC')
}

/** Returns the canonical form, NFC: composed and decomposed spellings are one name. Only the slash has a meaning. */
export const checkFileName = (sent: string): FileNameCheck => {
  const name = composedName(sent)
  const fault = faultOf(name)
  if (fault !== undefined) return { ok: false, requirement: fault }
  const contentType = contentTypeOf(name)
  if (contentType !== undefined) return { ok: true, name, contentType }
  return { ok: false, requirement: `must end in one of ${fileExtensions.join(', ')}`, type: extensionOf(name) }
}

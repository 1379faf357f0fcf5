import { AppError } from '../errors.ts'
import { normaliseId } from '../ids.ts'
import { exactJson } from '../json/exact-json.ts'
import { limits } from '../limits.ts'
import { codePointLength } from '../text/text.ts'
import { countMetadataKeys, mergeMetadata, storeFault, type UserObject } from './metadata.ts'

export const documentErrors = [
  'Text missing',
  'Text content too short',
  'Text content too long',
  'Invalid text',
  'Metadata too large',
  'Too many metadata keys',
  'Invalid metadata',
  'Duplicate document id',
  'Quota exceeded',
  'Document id taken',
] as const
type DocumentError = (typeof documentErrors)[number]

export type CheckedDocument = {
  readonly id: string
  readonly text: string
  /** Has no prototype. */
  readonly metadata: UserObject
  /** Compact. */
  readonly metadataJson: string
  /** Unicode code points of `text`. */
  readonly characterCount: number
}
/** `provided_length`: code points. */
export type DocumentFailure = {
  readonly id: string
  readonly error: DocumentError
  readonly message: string
  readonly provided_length: number
}
type DocumentCheck =
  | { readonly ok: true; readonly document: CheckedDocument }
  | { readonly ok: false; readonly failure: DocumentFailure }
/** In code points. */
type DocumentRules = { readonly minTextLength: number }

const reservedKeys = ['id', 'text']
type Fault = { readonly error: DocumentError; readonly message: string }

const textFault = (text: unknown, length: number, { minTextLength }: DocumentRules): Fault | undefined => {
  if (text === undefined || text === null) return { error: 'Text missing', message: 'text is required' }
  if (typeof text !== 'string') return { error: 'Invalid text', message: 'text must be a string' }
  if (length < minTextLength)
    return {
      error: 'Text content too short',
      message: `text must have at least ${minTextLength} characters, it has ${length}`,
    }
  if (length > limits.maxTextLength)
    return {
      error: 'Text content too long',
      message: `text must have at most ${limits.maxTextLength} characters, it has ${length}`,
    }
  if (!text.isWellFormed())
    return { error: 'Invalid text', message: 'text must be well-formed Unicode, without lone surrogates' }
  if (text.includes('\0')) return { error: 'Invalid text', message: 'text must not contain the character U+0000' }
  if (!/\S/u.test(text)) return { error: 'Invalid text', message: 'text must not be blank' }
  return undefined
}

const keysFault = (source: UserObject): Fault | undefined => {
  const keys = countMetadataKeys(source, reservedKeys)
  if (keys <= limits.metadataKeys) return undefined
  return {
    error: 'Too many metadata keys',
    message: `metadata must have at most ${limits.metadataKeys} keys, it has ${keys}`,
  }
}

/** Throws AppError `invalid` for an invalid id, a fault of the envelope. */
export const checkDocument = (source: UserObject, rules: DocumentRules): DocumentCheck => {
  const checked = normaliseId(source['id'])
  if (!checked.ok) throw new AppError('invalid', `id ${checked.requirement}`)
  const { id } = checked
  const text = source['text']
  const characterCount = typeof text === 'string' ? codePointLength(text) : 0
  const failure = (fault: Fault): DocumentCheck => ({
    ok: false,
    failure: { id, ...fault, provided_length: characterCount },
  })
  // First, because merging and serializing take long with a hundred thousand keys.
  const fault = textFault(text, characterCount, rules) ?? keysFault(source)
  if (fault) return failure(fault)
  const metadata = mergeMetadata(source, reservedKeys)
  const metadataJson = exactJson(metadata)
  const sizeFault = storeFault(metadata, metadataJson, limits.metadataBytes)
  if (sizeFault) return failure(sizeFault)
  return { ok: true, document: { id, text: text as string, metadata, metadataJson, characterCount } }
}

/** Checks in order. All but the first of several documents with one id fail, even if the first fails too. */
export const checkDocuments = (
  sources: readonly UserObject[],
  rules: DocumentRules,
): { readonly accepted: readonly CheckedDocument[]; readonly failed: readonly DocumentFailure[] } => {
  const accepted: CheckedDocument[] = []
  const failed: DocumentFailure[] = []
  const seen = new Set<string>()
  for (const source of sources) {
    const check = checkDocument(source, rules)
    const { id } = check.ok ? check.document : check.failure
    if (seen.has(id)) {
      const provided_length = check.ok ? check.document.characterCount : check.failure.provided_length
      failed.push({
        id,
        error: 'Duplicate document id',
        message: 'an earlier document of this request has the same id',
        provided_length,
      })
    } else if (check.ok) accepted.push(check.document)
    else failed.push(check.failure)
    seen.add(id)
  }
  return { accepted, failed }
}

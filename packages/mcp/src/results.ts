import {
  type CairnDocument,
  type FileStatus,
  filePartOf,
  type Hit,
  type ListedFile,
  type Namespace,
} from '@cairn/client'
import { codePointLength, codePointsBetween } from '@cairn/contracts/text/text'

/** Code points of a hit; `get_document` returns the whole text. */
const excerptLength = 2_000
/** Code points of a document; the caller continues with `offset`. */
export const pieceLength = 20_000
/** All excerpts and metadata of one result, which must not fill the context of an assistant. */
const searchLength = 40_000
const maxNotes = 10
const maxNamespaces = 200
export const maxFiles = 200

type Fields = Readonly<Record<string, unknown>>

/** Drops null, undefined and empty values; metadata of users are not changed. */
export const filled = (value: Fields): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([key, one]) =>
        key === 'metadata' ||
        (one !== null && one !== undefined && (typeof one !== 'object' || Object.keys(one).length > 0)),
    ),
  )

/** Adds the place in words to a part of a file, and makes its page a number, as in filters; a summary has no page. */
export const placed = <I extends Pick<CairnDocument, 'id' | 'metadata'>>(item: I) => {
  const part = filePartOf(item)
  if (!part) return item
  const { page, ...others } = item.metadata
  const metadata = /^\d+$/.test(String(page)) ? { ...others, page: Number(page) } : others
  return { ...item, metadata, found_in: part.text }
}

/** Returns the best passage with the text around it, at most `excerptLength` code points. */
export const excerptOf = ({ text, highlights }: Pick<Hit, 'text' | 'highlights'>): string => {
  const length = codePointLength(text)
  if (length <= excerptLength) return text
  const { start, end } = highlights?.[0] ?? { start: 0, end: 0 }
  const around = Math.max(0, excerptLength - (end - start)) >> 1
  const from = Math.max(0, Math.min(start - around, length - excerptLength))
  const to = Math.min(length, from + excerptLength)
  return `${from > 0 ? '…' : ''}${codePointsBetween(text, from, to)}${to < length ? '…' : ''}`
}

/** Returns the hits that fit, and how to get what was cut. */
export const searchResult = (hits: readonly Hit[]): Record<string, unknown> => {
  const results: Fields[] = []
  let length = 0
  let isCut = false
  for (const hit of hits) {
    const text = excerptOf(hit)
    length += text.length + JSON.stringify(hit.metadata).length
    if (results.length > 0 && length > searchLength) break
    isCut ||= text !== hit.text
    const { id, namespace, score, metadata } = hit
    results.push(placed({ id, namespace, score, text, metadata }))
  }
  const left = hits.length - results.length
  const notes = [
    ...(hits.length === 0 ? ['Nothing was found.'] : []),
    ...(isCut ? ['Texts with … are excerpts; get_document returns the whole text.'] : []),
    ...(left > 0 ? [`${left} further results were left out; narrow the query or the filter to see them.`] : []),
  ]
  return { results, ...(notes.length > 0 && { note: notes.join(' ') }) }
}

/** `offset`: in code points. */
export const documentResult = (item: CairnDocument, offset: number): Record<string, unknown> => {
  const { text, ...document } = placed(item)
  const characters = codePointLength(text)
  const end = offset + pieceLength
  const rest = end < characters ? { next_offset: end, characters } : {}
  return filled({ ...document, text: codePointsBetween(text, offset, end), ...rest })
}

export const fileResult = (status: FileStatus): Record<string, unknown> => {
  const { file_name, namespace, state, reason, message, remedy, retryable, notes, metadata, chunks, size } = status
  const { stage, progress, estimated_completion, previous_version_searchable: isFormer, updated_at } = status
  const isFinal = state === 'completed' || state === 'failed'
  return filled({
    ...{ file_name, namespace, state, ...(!isFinal && { stage, progress, estimated_completion }) },
    ...{ reason, message, remedy, ...(state === 'failed' && { retryable }) },
    notes: notes.slice(0, maxNotes).map(filled),
    further_notes: notes.length > maxNotes ? notes.length - maxNotes : undefined,
    ...{ chunks, previous_version_searchable: isFormer || undefined, size },
    ...(metadata && Object.keys(metadata).length > 0 && { metadata }),
    updated_at,
  })
}

export const namespacesResult = (all: readonly Namespace[]): Record<string, unknown> => ({
  namespaces: all
    .slice(0, maxNamespaces)
    .map(({ namespace_name, type, item_count, language }) => filled({ namespace_name, type, item_count, language })),
  ...(all.length > maxNamespaces ? { note: `${all.length - maxNamespaces} further namespaces were left out.` } : {}),
})

/** Begins after `offset` files; says where to continue. */
export const filesResult = async (all: AsyncIterable<ListedFile>, offset: number): Promise<Record<string, unknown>> => {
  const files: Fields[] = []
  let skipped = 0
  for await (const { file_name, state, reason, size, chunks, notes } of all) {
    if (skipped < offset) skipped += 1
    else if (files.length === maxFiles) return { files, next_offset: offset + maxFiles }
    else files.push(filled({ file_name, state, reason, size, chunks, notes: notes || undefined }))
  }
  return { files }
}

/** Chunks with their places, and the chunk to continue with. */
export const readResult = async (chunks: AsyncIterable<CairnDocument>) => {
  const parts: Fields[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.text.length
    if (parts.length > 0 && length > pieceLength) return { parts, next_chunk: chunk.metadata['chunk_index'] }
    parts.push(filled({ place: filePartOf(chunk)?.place || undefined, text: chunk.text }))
  }
  return { parts }
}

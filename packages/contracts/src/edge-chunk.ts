import { limits } from './limits.ts'
import { utf8Length } from './text.ts'

/** One chunk of a text in an edge store. Its stored text is a block of these fields, a blank line and the body. */
export type EdgeChunk = {
  readonly docId: string
  readonly category: string
  readonly title: string
  readonly tags: readonly string[]
  /** Counted from 0. */
  readonly index: number
  readonly body: string
}

export type ParsedEdgeChunk =
  | { readonly ok: true; readonly chunk: EdgeChunk }
  /** The fault of the text, as the end of the sentence "the text …". */
  | { readonly ok: false; readonly why: string }

/** Maximum tokens of a body. */
export const edgeChunkTokens = 200

const breaks = /[\p{Cc}\u2028\u2029]+/gu

/** Joins lines, because a field of the block is one line. */
const oneLine = (value: string): string => value.replace(breaks, ' ').trim()

/** Leaves bytes for the suffix, so that the id of every chunk is within the limit of ids. */
const docIdBytes = limits.idBytes - '#chunk-'.length - 5

/**
 * Whether a block returns the document id unchanged: one line, without blanks around it, which readers of blocks drop.
 */
export const isEdgeDocId = (id: string): boolean => id !== '' && oneLine(id) === id && utf8Length(id) <= docIdBytes

/** Returns the id of a chunk, which is unique for a document and index. */
export const edgeItemId = ({ docId, index }: Pick<EdgeChunk, 'docId' | 'index'>): string => `${docId}#chunk-${index}`

/**
 * Returns the stored text of a chunk. Fields are one line each; a comma within a tag would split it and becomes a
 * blank.
 */
export const buildEdgeChunk = ({ docId, category, title, tags, index, body }: EdgeChunk): string => {
  const listed = tags.map((tag) => oneLine(tag.replaceAll(',', ' '))).filter((tag) => tag !== '')
  const fields = [
    `doc_id: ${docId}`,
    `category: ${oneLine(category)}`,
    `title: ${oneLine(title)}`,
    `tags: ${listed.join(',')}`,
    `chunk: ${index}`,
  ]
  return `[meta]\n${fields.join('\n')}\n[/meta]\n\n${body}`
}

const wrong = (why: string): ParsedEdgeChunk => ({ ok: false, why })

const field = /^(doc_id|category|title|tags|chunk)\s*:(.*)$/

/** Yields lines without blanks around them, one at a time, so that the body is not read. */
function* linesOf(text: string): Generator<{ readonly text: string; readonly next: number }, undefined> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start)
    const next = end === -1 ? text.length : end + 1
    yield { text: text.slice(start, end === -1 ? text.length : end).trim(), next }
    if (end === -1) return
    start = next
  }
}

/**
 * Parses a stored text. Blanks around lines and unknown lines of the block don't matter; without `tags` the list is
 * empty.
 */
export const parseEdgeChunk = (text: string): ParsedEdgeChunk => {
  const lines = linesOf(text)
  let line = lines.next()
  while (!line.done && line.value.text === '') line = lines.next()
  if (line.done || line.value.text !== '[meta]') return wrong('does not begin with a [meta] block')
  const fields = new Map<string, string>()
  for (line = lines.next(); !line.done && line.value.text !== '[/meta]'; line = lines.next()) {
    const [, name, value = ''] = field.exec(line.value.text) ?? []
    // The first value of a field counts: a later one may come from a title that was not on one line.
    if (name !== undefined && !fields.has(name)) fields.set(name, value.trim())
  }
  if (line.done) return wrong('has a [meta] block without an end')
  let from = line.value.next
  // One blank line separates the block from the body; a further one belongs to the body.
  line = lines.next()
  if (!line.done && line.value.text === '') from = line.value.next
  const missing = ['doc_id', 'category', 'title', 'chunk'].filter((name) => !fields.has(name))
  if (missing.length > 0) return wrong(`has no ${missing.join(', ')} in its [meta] block`)
  const of = (name: string): string => fields.get(name) ?? ''
  if (!isEdgeDocId(of('doc_id'))) return wrong('has an empty or unusable doc_id in its [meta] block')
  if (!/^\d{1,9}$/.test(of('chunk'))) return wrong('has a chunk in its [meta] block that is not a whole number')
  const tags = of('tags')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  return {
    ok: true,
    chunk: {
      docId: of('doc_id'),
      category: of('category'),
      title: of('title'),
      tags,
      index: Number(of('chunk')),
      body: text.slice(from),
    },
  }
}

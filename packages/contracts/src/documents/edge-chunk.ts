import { limits } from '../limits.ts'
import { utf8Length } from '../text/text.ts'

/** The stored text is a block of these fields, a blank line and the body. */
export type EdgeChunk = {
  readonly docId: string
  readonly category: string
  readonly title: string
  readonly tags: readonly string[]
  /** From 0. */
  readonly index: number
  readonly body: string
}

export type ParsedEdgeChunk =
  | { readonly ok: true; readonly chunk: EdgeChunk }
  /** Completes the sentence "the text …". */
  | { readonly ok: false; readonly why: string }

/** Tokens of a body. */
export const edgeChunkTokens = 200

const breaks = /[\p{Cc}\u2028\u2029]+/gu

/** Each field of the block is one line. */
const oneLine = (value: string): string => value.replace(breaks, ' ').trim()

/** Leaves room for the suffix within the limit of ids. */
const docIdBytes = limits.idBytes - '#chunk-'.length - 5

/** Requires an id that survives a block: one line, without surrounding blanks. */
export const isEdgeDocId = (id: string): boolean => id !== '' && oneLine(id) === id && utf8Length(id) <= docIdBytes

/** Returns an id unique per document and index. */
export const edgeItemId = ({ docId, index }: Pick<EdgeChunk, 'docId' | 'index'>): string => `${docId}#chunk-${index}`

/** Makes a comma within a tag a blank, because it would split the tag. */
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

/** Yields lines lazily, so that the body need not be read. */
function* linesOf(text: string): Generator<{ readonly text: string; readonly next: number }, undefined> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start)
    const next = end === -1 ? text.length : end + 1
    yield { text: text.slice(start, end === -1 ? text.length : end).trim(), next }
    if (end === -1) return
    start = next
  }
}

/** Ignores blanks around lines and unknown lines of the block; without `tags` the list is empty. */
export const parseEdgeChunk = (text: string): ParsedEdgeChunk => {
  const lines = linesOf(text)
  let line = lines.next()
  while (!line.done && line.value.text === '') line = lines.next()
  if (line.done || line.value.text !== '[meta]') return wrong('does not begin with a [meta] block')
  const fields = new Map<string, string>()
  for (line = lines.next(); !line.done && line.value.text !== '[/meta]'; line = lines.next()) {
    const [, name, value = ''] = field.exec(line.value.text) ?? []
    // The first value counts: a later one may come from a title with several lines.
    if (name !== undefined && !fields.has(name)) fields.set(name, value.trim())
  }
  if (line.done) return wrong('has a [meta] block without an end')
  let from = line.value.next
  // Only one blank line separates the block from the body.
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

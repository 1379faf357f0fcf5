/** What the clients of an edge store write as one text: a header block, and the chunk below it. The store itself keeps texts as they are. */
export type EdgeChunk = {
  readonly docId: string
  readonly category: string
  readonly title: string
  readonly tags: readonly string[]
  /** From 0, within the document. */
  readonly chunk: number
  readonly body: string
}

const fields = ['doc_id', 'category', 'title', 'tags', 'chunk'] as const
type Field = (typeof fields)[number]
const needed: readonly Field[] = ['doc_id', 'category', 'title', 'chunk']

const isLine = (text: string): boolean => !/[\r\n]/.test(text)

/** The id of a chunk's item. */
export const chunkId = ({ docId, chunk }: Pick<EdgeChunk, 'docId' | 'chunk'>): string => `${docId}#chunk-${chunk}`

/** The text of a chunk. RangeError for what its lines can't say: a line break in a field, a comma in a tag, a number that is none. */
export const buildChunk = ({ docId, category, title, tags, chunk, body }: EdgeChunk): string => {
  if (docId.trim() === '') throw new RangeError('docId must not be blank')
  if (![docId, category, title, ...tags].every(isLine)) throw new RangeError('docId, category, title and tags must each be one line')
  if (tags.some((tag) => tag.includes(',') || tag.trim() === '')) throw new RangeError('a tag must not be blank, and have no comma')
  if (!Number.isSafeInteger(chunk) || chunk < 0) throw new RangeError('chunk must be a whole number from 0')
  const values: Readonly<Record<Field, string>> = { doc_id: docId, category, title, tags: tags.join(','), chunk: String(chunk) }
  return ['[meta]', ...fields.map((field) => `${field}: ${values[field]}`), '[/meta]', '', body].join('\n')
}

/** The chunk a text says it is, or undefined where it has no such block. Blanks around lines and values do not count, `tags` may be missing. */
export const parseChunk = (text: string): EdgeChunk | undefined => {
  const block = /^\s*\[meta\][^\S\n]*\n([\s\S]*?)\n[^\S\n]*\[\/meta\][^\S\n]*(?:\n|$)/.exec(text)
  if (!block) return undefined
  const values = new Map<string, string>()
  for (const line of (block[1] as string).split('\n')) {
    const [, name, value] = /^\s*([a-z_]+):(.*)$/.exec(line.replace(/\r$/, '')) ?? []
    if (name !== undefined && value !== undefined) values.set(name, value.trim())
  }
  const value = (field: Field): string => values.get(field) ?? ''
  if (!needed.every((field) => values.has(field)) || value('doc_id') === '' || !/^\d{1,15}$/.test(value('chunk'))) return undefined
  return {
    docId: value('doc_id'),
    category: value('category'),
    title: value('title'),
    tags: value('tags')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    chunk: Number(value('chunk')),
    // The one blank line between block and body is no part of it.
    body: text.slice(block[0].length).replace(/^[^\S\n]*\n/, ''),
  }
}

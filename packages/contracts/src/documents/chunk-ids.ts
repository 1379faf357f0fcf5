// `idBase`: the file's name without characters that ids must not have.

/** Returns what precedes the index of a chunk. */
export const chunkIdPrefix = (idBase: string): string => `${idBase}_chunk_`
export const chunkItemId = (idBase: string, index: number): string => `${chunkIdPrefix(idBase)}${index}`
export const summaryItemId = (idBase: string, number: number): string => `${idBase}_summary_${number}`

/** Returns undefined for other ids. */
export const parseChunkItemId = (id: string): { readonly idBase: string; readonly index: number } | undefined => {
  const [, idBase, index] = /^(.*)_chunk_(\d+)$/s.exec(id) ?? []
  return idBase === undefined ? undefined : { idBase, index: Number(index) }
}

/** `from` and `to`: first and last chunk, inclusive. */
export const summaryPage = (number: number, { from, to }: { readonly from: number; readonly to: number }): string =>
  `summary_${number}_chunks_${from}_${to}`

/** Returns the chunk that a summary covers, if it covers exactly one; undefined for other ids. */
export const onlyChunkOf = (id: string, page: unknown): string | undefined => {
  const [, idBase] = /^(.*)_summary_\d+$/s.exec(id) ?? []
  const [, from, to] = typeof page === 'string' ? (/^summary_\d+_chunks_(\d+)_(\d+)$/.exec(page) ?? []) : []
  return idBase === undefined || from === undefined || from !== to ? undefined : chunkItemId(idBase, Number(from))
}

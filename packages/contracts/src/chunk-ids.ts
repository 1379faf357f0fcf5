// Ids of what a file becomes. `idBase` is the file's name without what ids may not have.

/** What the id of each chunk begins with; its index follows. */
export const chunkIdPrefix = (idBase: string): string => `${idBase}_chunk_`
export const chunkItemId = (idBase: string, index: number): string => `${chunkIdPrefix(idBase)}${index}`
export const summaryItemId = (idBase: string, number: number): string => `${idBase}_summary_${number}`

/** Returns what `chunkItemId` made the id of; undefined for other ids. */
export const parseChunkItemId = (id: string): { readonly idBase: string; readonly index: number } | undefined => {
  const [, idBase, index] = /^(.*)_chunk_(\d+)$/s.exec(id) ?? []
  return idBase === undefined ? undefined : { idBase, index: Number(index) }
}

/** Metadata of a summary: which chunks it summarizes, both included. */
export const summaryPage = (number: number, { from, to }: { readonly from: number; readonly to: number }): string =>
  `summary_${number}_chunks_${from}_${to}`

/** Returns the id of the chunk that a summary has alone; undefined if it summarizes several, or is none. */
export const onlyChunkOf = (id: string, page: unknown): string | undefined => {
  const [, idBase] = /^(.*)_summary_\d+$/s.exec(id) ?? []
  const [, from, to] = typeof page === 'string' ? (/^summary_\d+_chunks_(\d+)_(\d+)$/.exec(page) ?? []) : []
  return idBase === undefined || from === undefined || from !== to ? undefined : chunkItemId(idBase, Number(from))
}

export type Neighbors = { readonly previous: string | undefined; readonly next: string | undefined }

const chunkId = /^(.*_chunk_)(0|[1-9]\d{0,8})$/s

/** Returns the ids of the chunks beside a chunk, which may not exist; no ids for other items. */
export const neighborsOf = (id: string): Neighbors => {
  const [, prefix, digits] = chunkId.exec(id) ?? []
  const index = Number(digits)
  if (prefix === undefined) return { previous: undefined, next: undefined }
  return { previous: index === 0 ? undefined : `${prefix}${index - 1}`, next: `${prefix}${index + 1}` }
}

import type { Chunk, FileRecord } from '@cairn/domain/files/record'
import type { Store } from '@cairn/domain/store'

export const fileIdsOf = (chunks: readonly Pick<Chunk, 'fileId'>[]): string[] => [
  ...new Set(chunks.map(({ fileId }) => fileId)),
]

/** Leaves out missing files. To decide which points to remove, use `files.latestStates`. */
export const filesOf = async (
  store: { readonly files: Pick<Store['files'], 'many'> },
  chunks: readonly Pick<Chunk, 'fileId'>[],
): Promise<ReadonlyMap<string, FileRecord>> => {
  const ids = fileIdsOf(chunks)
  const files = ids.length === 0 ? [] : await store.files.many(ids)
  return new Map(files.map((file) => [file.id, file]))
}

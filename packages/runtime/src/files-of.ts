import type { Metadata } from '@cairn/ports/metadata/port'
import type { Chunk, FileRecord } from '@cairn/ports/metadata/records'

/** The files of these chunks, by id; those that are gone are left out. */
export const filesOf = async (
  metadata: Pick<Metadata, 'files'>,
  chunks: readonly Pick<Chunk, 'fileId'>[],
): Promise<ReadonlyMap<string, FileRecord>> => {
  const ids = [...new Set(chunks.map(({ fileId }) => fileId))]
  const files = await Promise.all(ids.map((id) => metadata.files.get(id)))
  return new Map(files.flatMap((file) => (file ? [[file.id, file]] : [])))
}

import type { FileStore } from '@cairn/domain/ports/file-store'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import type { DiskSpace } from './disk-space.ts'

type Ports = { readonly store: Store; readonly vectors: VectorIndex; readonly files: FileStore }

/**
 * Wraps the stores so that they reject writes that would fill the disk. Accepted work waits, as for an unavailable
 * engine. Writes of deletions are never rejected. Space for the bytes of a file is checked where they are written
 * (`localFileStore`).
 */
export const guardDisk = ({ store, vectors, files }: Ports, { admit }: Pick<DiskSpace, 'admit'>): Ports => ({
  store: {
    ...store,
    createNamespace: async (input) => {
      admit('records')
      return store.createNamespace(input)
    },
    accept: async (input) => {
      admit('records')
      return store.accept(input)
    },
    chunks: {
      ...store.chunks,
      handOver: async (input) => {
        admit('records')
        return store.chunks.handOver(input)
      },
    },
    grants: {
      ...store.grants,
      open: async (grant) => {
        admit('files')
        return store.grants.open(grant)
      },
    },
  },
  vectors: {
    ...vectors,
    upsert: async (space, points) => {
      admit('records')
      return vectors.upsert(space, points)
    },
  },
  files: {
    ...files,
    // A caller that reads a whole object copies it to the scratch folder, which also needs space.
    get: async (key, range) => {
      const found = await files.get(key, range)
      try {
        if (found && !range) admit('files', found.file.sizeBytes)
        return found
      } catch (error) {
        found?.body.destroy()
        throw error
      }
    },
  },
})

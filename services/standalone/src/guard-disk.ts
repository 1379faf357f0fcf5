import type { FileStore } from '@cairn/domain/ports/file-store'
import type { VectorIndex } from '@cairn/domain/ports/vector-index'
import type { Store } from '@cairn/domain/store'
import type { DiskSpace } from './disk-space.ts'

type Ports = { readonly store: Store; readonly vectors: VectorIndex; readonly files: FileStore }

/**
 * Rejects writes that would fill the disk; accepted work waits, as for an unavailable engine, and deletions are never
 * rejected. Bytes of a file are checked where they are written (`localFileStore`).
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
      submit: async (input) => {
        admit('records')
        return store.chunks.submit(input)
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
    // A caller copies a whole object to the scratch folder, which needs space, too.
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

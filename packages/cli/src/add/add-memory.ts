import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'

const known = z.object({
  size: z.number(),
  mtimeMs: z.number(),
  sha256: z.string(),
  /** Modification time in the server's list of files; null until the file was listed. */
  lastModified: z.string().nullable(),
})
export type KnownFile = z.infer<typeof known>
const state = z.record(z.string(), known)

export type AddMemory = {
  get(name: string): KnownFile | undefined
  set(name: string, file: KnownFile): void
  /** Writes the entries atomically: after a crash, the file has either the old or the new content. */
  save(): void
}

/**
 * Remembers added files in a file. If that file can't be read, it counts as empty, and all files are sent once more.
 */
export const addMemory = (file: string): AddMemory => {
  const read = (): Map<string, KnownFile> => {
    try {
      return new Map(Object.entries(state.parse(JSON.parse(readFileSync(file, 'utf8')))))
    } catch {
      return new Map()
    }
  }
  const files = read()
  let isChanged = false
  return {
    get: (name) => files.get(name),
    set: (name, one) => {
      files.set(name, one)
      isChanged = true
    },
    save: () => {
      if (!isChanged) return
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(files)))
      renameSync(`${file}.new`, file)
      isChanged = false
    },
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Settings } from '../settings.ts'
import { writeAtomically } from '../write-file.ts'

const known = z.object({
  size: z.number(),
  /** Last change of the local file; absent if a later one could have the same time. */
  changedMs: z.number().optional(),
  sha256: z.string(),
  /** In the server's list of files; null while `pending`. */
  lastModified: z.string().nullable(),
  /** Written before the file is sent, and removed once the server lists it. */
  pending: z
    .object({
      /** Modification time of the listed file being replaced. */
      replaces: z.string().nullable(),
      /** Sent, and may be listed; several after interrupted runs. */
      sizes: z.array(z.number()),
      accepted: z.boolean(),
      sinceMs: z.number(),
    })
    .optional(),
})
export type KnownFile = z.infer<typeof known>
const state = z.record(z.string(), known)

export type Memory = {
  get(name: string): KnownFile | undefined
  set(name: string, file: KnownFile): void
  delete(name: string): void
  names(): readonly string[]
  /** Writes atomically: after a crash, the file has either the old or the new content. */
  save(): void
}

/** Takes a file that can't be read for empty. */
export const fileMemory = (file: string): Memory => {
  const read = (): Map<string, KnownFile> => {
    try {
      return new Map(Object.entries(state.parse(JSON.parse(readFileSync(file, 'utf8')))))
    } catch {
      return new Map()
    }
  }
  const files = read()
  const changes = new Map<string, KnownFile | undefined>()
  return {
    get: (name) => files.get(name),
    names: () => [...files.keys()],
    set: (name, one) => {
      files.set(name, one)
      changes.set(name, one)
    },
    delete: (name) => {
      if (files.delete(name)) changes.set(name, undefined)
    },
    save: () => {
      if (changes.size === 0) return
      // Another command may have written meanwhile, such as one that a timer has started too early.
      const written = read()
      for (const [name, one] of changes) {
        if (one) written.set(name, one)
        else written.delete(name)
      }
      writeAtomically(file, JSON.stringify(Object.fromEntries(written)))
      changes.clear()
    },
  }
}

const serverFolder = ({ stateDir, url }: Settings, kind: 'add' | 'sync'): string =>
  join(stateDir, `cli-${kind}`, encodeURIComponent(url.replace(/^https?:\/\//, '')))

/** Remembers what was added to the namespace from anywhere. */
export const addMemory = (settings: Settings, namespace: string): Memory =>
  fileMemory(join(serverFolder(settings, 'add'), `${encodeURIComponent(namespace)}.json`))

/** Files below the prefix that `cairn sync` has brought, and therefore may remove. */
export const syncMemory = (settings: Settings, namespace: string, prefix: string): Memory =>
  fileMemory(join(serverFolder(settings, 'sync'), encodeURIComponent(namespace), `${encodeURIComponent(prefix)}.json`))

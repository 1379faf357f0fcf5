import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type Cairn, CairnError, type FileStatus } from '@cairn/client'
import { atOnce } from '@cairn/contracts/at-once'
import type { AddMemory } from './add-memory.ts'
import type { LocalFile } from './find-files.ts'

const filesAtOnce = 4
const saveEveryMs = 1_000

export type Added = {
  readonly added: readonly string[]
  readonly unchanged: number
  readonly failed: readonly { readonly name: string; readonly message: string }[]
}
type AddOptions = {
  readonly cairn: Cairn
  readonly namespace: string
  readonly memory: AddMemory
  readonly signal: AbortSignal
  readonly onProgress: (progress: { readonly files: number; readonly bytes: number }) => void
}

const hashOf = async ({ path }: LocalFile, signal: AbortSignal): Promise<string> => {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk)
  return hash.digest('hex')
}

/** Returns whether an error concerns only this file, so that the other files can still be added. */
const isAboutTheFile = (error: unknown): error is CairnError =>
  error instanceof CairnError && ['invalid', 'too_large', 'conflict'].includes(error.code)

/**
 * Adds files that are new or changed. A file counts as unchanged if the namespace still lists the version that was
 * added last time, and its size and hash are the same as then. May be stopped and called again.
 */
export const addFiles = async (
  files: readonly LocalFile[],
  { cairn, namespace, memory, signal, onProgress }: AddOptions,
): Promise<Added> => {
  const list = async () => {
    const { files: listed } = await cairn.files.list(namespace, { signal })
    return new Map(listed.map((file) => [file.file_name, file]))
  }
  const before = await list()
  const [added, failed]: [string[], { name: string; message: string }[]] = [[], []]
  let [unchanged, done, doneBytes, savedAt] = [0, 0, 0, performance.now()]
  /** Bytes sent of each file that is being uploaded. */
  const underWay = new Map<string, number>()
  const report = () =>
    onProgress({ files: done, bytes: doneBytes + [...underWay.values()].reduce((sum, bytes) => sum + bytes, 0) })

  const add = async (file: LocalFile) => {
    const { name, path, size, mtimeMs } = file
    const known = memory.get(name)
    const listed = before.get(name)
    const isSame = known?.size === size && known.mtimeMs === mtimeMs
    const sha256 = isSame ? known.sha256 : await hashOf(file, signal)
    const isListed =
      listed?.size === size && (known?.lastModified === null || known?.lastModified === listed.last_modified)
    if (isListed && known?.sha256 === sha256) {
      memory.set(name, { size, mtimeMs, sha256, lastModified: listed.last_modified })
      unchanged += 1
      return
    }
    try {
      const onSent = ({ sent }: { readonly sent: number }) => {
        underWay.set(name, sent)
        report()
      }
      await cairn.files.upload(namespace, path, { name, signal, onProgress: onSent })
      added.push(name)
      memory.set(name, { size, mtimeMs, sha256, lastModified: null })
    } catch (error) {
      if (!isAboutTheFile(error)) throw error
      failed.push({ name, message: error.message })
    }
  }

  try {
    await atOnce(filesAtOnce, files, async (file) => {
      await add(file)
      underWay.delete(file.name)
      done += 1
      doneBytes += file.size
      report()
      if (performance.now() - savedAt < saveEveryMs) return
      memory.save()
      savedAt = performance.now()
    })
    if (added.length > 0) {
      const after = await list()
      for (const name of added) {
        const [known, listed] = [memory.get(name), after.get(name)]
        if (known && listed?.size === known.size) memory.set(name, { ...known, lastModified: listed.last_modified })
      }
    }
  } finally {
    memory.save()
  }
  return { added, unchanged, failed }
}

/** Waits until the server has processed the files. Resolves to their states. */
export const waitForFiles = async (
  cairn: Cairn,
  namespace: string,
  names: readonly string[],
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<readonly FileStatus[]> => {
  let done = 0
  return atOnce(filesAtOnce, names, async (name) => {
    const status = await cairn.waitFor.file(namespace, name, { signal })
    done += 1
    onProgress(done)
    return status
  })
}

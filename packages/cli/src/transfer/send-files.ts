import { type Cairn, CairnError, type FileMetadata, type FileStatus } from '@cairn/client'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { type ComparedFile, type Failure, isSent, listFiles } from './compare-files.ts'
import { localFile } from './find-files.ts'
import type { Memory } from './memory.ts'

const filesAtOnce = 4
const saveEveryMs = 1_000
const changedMeanwhile = 'changed while it was sent: repeat the command'

type Sent = { readonly sent: readonly string[]; readonly failed: readonly Failure[] }
type SendOptions = {
  readonly cairn: Cairn
  readonly namespace: string
  readonly memory: Memory
  /** Absent: files keep what they have. */
  readonly metadata?: FileMetadata | undefined
  readonly signal: AbortSignal
  readonly onProgress: (progress: { readonly files: number; readonly bytes: number }) => void
}

/** Tells whether the other files can still be sent. */
const isAboutTheFile = (error: unknown): error is Error =>
  (error instanceof CairnError && ['invalid', 'too_large', 'conflict'].includes(error.code)) ||
  (error instanceof Error && 'syscall' in error && 'path' in error)

const isUntouched = ({ file: { path, name, size, changedMs } }: ComparedFile): boolean => {
  try {
    const now = localFile(path, name)
    return now.size === size && now.changedMs === changedMs
  } catch {
    return false
  }
}

/** Called before the first file: after a kill, the next run sends each again, whatever version the server has. */
const recordIntent = (files: readonly ComparedFile[], memory: Memory): void => {
  for (const { file, sha256, changedMs, listed } of files) {
    const sizes = new Set([...(memory.get(file.name)?.pending?.sizes ?? []), file.size])
    const pending = { replaces: listed?.lastModified ?? null, sizes: [...sizes], accepted: false, sinceMs: Date.now() }
    memory.set(file.name, { size: file.size, changedMs, sha256, lastModified: null, pending })
  }
  memory.save()
}

/** Called once the server has accepted the files. */
const recordListed = async (names: readonly string[], { cairn, namespace, memory, signal }: SendOptions) => {
  if (names.length === 0) return
  const listing = await listFiles(cairn, namespace, signal)
  for (const name of names) {
    const [known, listed] = [memory.get(name), listing.get(name)]
    if (!known || !listed || !isSent(known, listed, known)) continue
    const { pending: _, ...rest } = known
    memory.set(name, { ...rest, lastModified: listed.lastModified })
  }
}

/** May be stopped or killed, and called again after another comparison. */
export const sendFiles = async (files: readonly ComparedFile[], options: SendOptions): Promise<Sent> => {
  const { cairn, namespace, memory, metadata, signal, onProgress } = options
  const [sent, failed]: [string[], Failure[]] = [[], []]
  let [done, doneBytes, savedAt] = [0, 0, performance.now()]
  /** By file being uploaded. */
  const underWay = new Map<string, number>()
  const report = () =>
    onProgress({ files: done, bytes: doneBytes + [...underWay.values()].reduce((sum, bytes) => sum + bytes, 0) })
  const before = new Map(files.map(({ file: { name } }) => [name, memory.get(name)]))
  recordIntent(files, memory)

  const send = async (compared: ComparedFile) => {
    const { name, path } = compared.file
    try {
      const onSent = ({ sent: bytes }: { readonly sent: number }) => {
        underWay.set(name, bytes)
        report()
      }
      await cairn.files.upload(namespace, path, { name, metadata, signal, onProgress: onSent })
    } catch (error) {
      signal.throwIfAborted()
      if (!isUntouched(compared)) {
        failed.push({ name, message: changedMeanwhile })
        return
      }
      if (!isAboutTheFile(error)) throw error
      // Refused, so it has not replaced what was known.
      const known = before.get(name)
      if (known) memory.set(name, known)
      else memory.delete(name)
      failed.push({ name, message: error.message })
      return
    }
    const known = memory.get(name)
    if (!isUntouched(compared)) failed.push({ name, message: changedMeanwhile })
    else if (known?.pending) {
      memory.set(name, { ...known, pending: { ...known.pending, accepted: true } })
      sent.push(name)
    }
  }

  try {
    await atOnce(filesAtOnce, files, async (compared) => {
      await send(compared)
      underWay.delete(compared.file.name)
      done += 1
      doneBytes += compared.file.size
      report()
      if (performance.now() - savedAt < saveEveryMs) return
      memory.save()
      savedAt = performance.now()
    })
    await recordListed(sent, options)
  } finally {
    memory.save()
  }
  return { sent, failed }
}

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

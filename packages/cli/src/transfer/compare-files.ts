import type { Cairn } from '@cairn/client'
import { atOnce } from '@cairn/contracts/flow/at-once'
import { sha256Of } from '@cairn/domain/sha256-of'
import type { LocalFile } from './find-files.ts'
import type { KnownFile, Memory } from './memory.ts'

const filesAtOnce = 4
/** A file changed this recently may change again without another time of change. */
const clockStepMs = 2_000

export type ListedFile = { readonly size: number; readonly lastModified: string }
export type Listing = ReadonlyMap<string, ListedFile>

export type Failure = { readonly name: string; readonly message: string }
export type ComparedFile = {
  readonly file: LocalFile
  readonly sha256: string
  /** To remember; undefined if it does not prove that the content is the same. */
  readonly changedMs: number | undefined
  readonly listed: ListedFile | undefined
}
export type Comparison = {
  readonly unchanged: readonly string[]
  /** Not in the namespace. */
  readonly added: readonly ComparedFile[]
  /** The namespace has, or perhaps has, another content. */
  readonly changed: readonly ComparedFile[]
  /** The namespace has these names from somewhere else. */
  readonly others: readonly ComparedFile[]
  readonly failed: readonly Failure[]
}

/** Is the only place that knows how the server lists files. */
export const listFiles = async (cairn: Cairn, namespace: string, signal: AbortSignal): Promise<Listing> => {
  const { files } = await cairn.files.list(namespace, { signal })
  return new Map(files.map(({ file_name, size, last_modified }) => [file_name, { size, lastModified: last_modified }]))
}

/** Tells, by the memory, whether this command has sent the listed file. */
export const isOurs = (known: KnownFile | undefined, listed: ListedFile | undefined): boolean => {
  if (!known || !listed) return false
  if (!known.pending) return listed.lastModified === known.lastModified && listed.size === known.size
  return listed.lastModified === known.pending.replaces || known.pending.sizes.includes(listed.size)
}

/** Tells whether the listed file was sent completely, with this content. */
export const isSent = (known: KnownFile, listed: ListedFile, { size, sha256 }: { size: number; sha256: string }) =>
  isOurs(known, listed) &&
  listed.size === size &&
  known.sha256 === sha256 &&
  (!known.pending || (known.pending.accepted && listed.lastModified !== known.pending.replaces))

type CompareOptions = {
  readonly listing: Listing
  /** Entries of unchanged files are brought up to date. */
  readonly memory: Memory
  /** Looks up what `memory` lacks. */
  readonly fallback?: Memory
  readonly signal: AbortSignal
}

/** Reads only files that may have changed. */
export const compareFiles = async (
  files: readonly LocalFile[],
  { listing, memory, fallback, signal }: CompareOptions,
): Promise<Comparison> => {
  const unchanged: string[] = []
  const [added, changed, others]: [ComparedFile[], ComparedFile[], ComparedFile[]] = [[], [], []]
  const failed: Failure[] = []
  await atOnce(filesAtOnce, files, async (file) => {
    const { name, size } = file
    const listed = listing.get(name)
    const known = memory.get(name) ?? fallback?.get(name)
    const changedMs = Date.now() - file.changedMs < clockStepMs ? undefined : file.changedMs
    const isSame = known?.size === size && known.changedMs === file.changedMs
    let sha256: string
    try {
      sha256 = isSame ? known.sha256 : await sha256Of(file.path, signal)
    } catch (error) {
      signal.throwIfAborted()
      failed.push({ name, message: `can't be read (${(error as NodeJS.ErrnoException).code ?? error})` })
      return
    }
    const compared = { file, sha256, changedMs, listed }
    if (known && listed && isSent(known, listed, { size, sha256 })) {
      memory.set(name, { size, changedMs, sha256, lastModified: listed.lastModified })
      unchanged.push(name)
    } else if (!listed) added.push(compared)
    else if (isOurs(known, listed)) changed.push(compared)
    else others.push(compared)
  })
  return { unchanged, added, changed, others, failed }
}

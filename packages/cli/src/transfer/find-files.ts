import { type Dirent, type Stats, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { AppError } from '@cairn/contracts/errors'
import { contentTypeOf, fileExtensions } from '@cairn/contracts/files/file-rules'

export type LocalFile = {
  readonly path: string
  /** In the namespace, in the composed form (NFC) of the server. */
  readonly name: string
  readonly size: number
  /** Last change of content or attributes; programs that copy files can't set it back. */
  readonly changedMs: number
}

const unreadable = (path: string, cause: unknown): AppError =>
  new AppError('invalid', `${path} can't be read (${(cause as NodeJS.ErrnoException).code})`, { cause })

const statOf = (path: string): Stats => {
  try {
    return statSync(path)
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

export const localFile = (path: string, name: string): LocalFile => {
  const { size, ctimeMs } = statOf(path)
  return { path, name: name.normalize('NFC'), size, changedMs: ctimeMs }
}

const readFolder = async (path: string): Promise<Dirent[]> => {
  try {
    return (await readdir(path, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

/** Leaves out what is hidden or has installed packages. */
export const isLeftOut = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

async function* inFolder(path: string, prefix: string): AsyncGenerator<LocalFile> {
  for (const entry of await readFolder(path)) {
    if (isLeftOut(entry.name)) continue
    const inner = join(path, entry.name)
    if (entry.isDirectory()) yield* inFolder(inner, `${prefix}${entry.name}/`)
    else if (entry.isFile() && contentTypeOf(entry.name) !== undefined) yield localFile(inner, `${prefix}${entry.name}`)
  }
}

/** Returns the prefix of names: the folder's, nothing for the current one. */
export const prefixOf = (folder: string): string =>
  /^[./\\]*$/.test(folder) ? '' : `${basename(resolve(folder))}/`.normalize('NFC')

/**
 * Names include the folder's (`docs/a.md` for `cairn add docs`), except for the current folder, or `prefix` in its
 * place. Unsupported types in a folder are skipped. Throws `invalid` for a missing path, an unsupported file, and two
 * files of one name.
 */
export const findFiles = async (paths: readonly string[], prefix?: string): Promise<readonly LocalFile[]> => {
  const found = new Map<string, LocalFile>()
  const add = (file: LocalFile) => {
    const other = found.get(file.name)
    if (other && resolve(other.path) !== resolve(file.path))
      throw new AppError('invalid', `${other.path} and ${file.path} would both be named ${file.name}`)
    found.set(file.name, file)
  }
  for (const path of paths) {
    const stats = statOf(path)
    if (stats.isDirectory()) {
      for await (const file of inFolder(path, prefix ?? prefixOf(path))) add(file)
    } else if (!stats.isFile() || contentTypeOf(path) === undefined) {
      throw new AppError('invalid', `${path} is not a file of these types: ${fileExtensions.join(', ')}`)
    } else add(localFile(path, basename(path)))
  }
  return [...found.values()]
}

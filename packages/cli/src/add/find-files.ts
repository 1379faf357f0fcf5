import { type Stats, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { AppError } from '@cairn/contracts/errors'
import { contentTypeOf, fileExtensions } from '@cairn/contracts/file-rules'

export type LocalFile = {
  readonly path: string
  /** Name of the file in the namespace. */
  readonly name: string
  readonly size: number
  readonly mtimeMs: number
}

const statOf = (path: string): Stats => {
  try {
    return statSync(path)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new AppError('invalid', `${path} can't be read (${code})`, { cause })
  }
}

/** Returns whether a file or folder is skipped, because it is hidden or holds installed packages. */
export const isLeftOut = (name: string): boolean => name.startsWith('.') || name === 'node_modules'

async function* inFolder(path: string, prefix: string): AsyncGenerator<LocalFile> {
  for (const entry of (await readdir(path, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (isLeftOut(entry.name)) continue
    const inner = join(path, entry.name)
    if (entry.isDirectory()) yield* inFolder(inner, `${prefix}${entry.name}/`)
    else if (entry.isFile() && contentTypeOf(entry.name) !== undefined) {
      const { size, mtimeMs } = statOf(inner)
      yield { path: inner, name: `${prefix}${entry.name}`, size, mtimeMs }
    }
  }
}

/**
 * Returns the files at these paths. Names of files in a folder include the folder's name (`docs/a.md` for `cairn add
 * docs`), except for the current folder (`a.md` for `cairn add .`). Unsupported types in a folder are skipped. Throws
 * `invalid` for a missing path, for a path of an unsupported file, and for two files with the same name.
 */
export const findFiles = async (paths: readonly string[]): Promise<readonly LocalFile[]> => {
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
      const prefix = /^[./\\]*$/.test(path) ? '' : `${basename(resolve(path))}/`
      for await (const file of inFolder(path, prefix)) add(file)
    } else if (!stats.isFile() || contentTypeOf(path) === undefined) {
      throw new AppError('invalid', `${path} is not a file of these types: ${fileExtensions.join(', ')}`)
    } else add({ path, name: basename(path), size: stats.size, mtimeMs: stats.mtimeMs })
  }
  return [...found.values()]
}

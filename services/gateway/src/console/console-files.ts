import { readdir, readFile } from 'node:fs/promises'
import { extname, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export type ConsoleFile = { readonly gzipped: Uint8Array; readonly contentType: string }
/** By path below the folder, such as `assets/index-3f2a.js`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>

/** Build of `packages/console`. */
export const consoleDirectory = fileURLToPath(new URL('../../../../packages/console/dist', import.meta.url))

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

const readFiles = async (directory: string): Promise<ConsoleFiles | undefined> => {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true })
    const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    const files = await Promise.all(
      names.map(async (file) => {
        const name = file.slice(directory.length + 1).replaceAll(sep, posix.sep)
        const contentType = contentTypes[extname(file)]
        if (contentType === undefined) return []
        return [[name, { gzipped: await promisify(gzip)(await readFile(file)), contentType }] as const]
      }),
    )
    const read = new Map(files.flat())
    return read.has('index.html') ? read : undefined
  } catch (error) {
    // Replaced while it was read, or missing.
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Reads the complete build, else undefined. Requests name keys of the map: no path reaches the file system. */
export const consoleFiles = (directory = consoleDirectory): (() => Promise<ConsoleFiles | undefined>) => {
  let reading: Promise<ConsoleFiles | undefined> | undefined
  return async () => {
    reading ??= readFiles(directory)
    const files = await reading
    if (files === undefined) reading = undefined
    return files
  }
}

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { FileType } from '@cairn/contracts/file-rules'
import { startChild } from './start-child.ts'

/** Names within the child's folder, and contents. */
type Files = ReadonlyMap<string, Buffer>

const compiled = new Map<FileType, Promise<Files>>()

/** Lets a child load the parser, without a file, and returns the compile cache that Node has written for it. */
const compile = async (type: FileType, parent: string): Promise<Files> => {
  const scratch = await mkdtemp(join(parent, 'cairn-code-'))
  try {
    const request = { type, path: scratch, options: {}, loadsOnly: true }
    const child = startChild({ request, entry: new URL('./child.ts', import.meta.url), scratch, heapMegabytes: 192 })
    child.lines.resume()
    await child.ended
    const entries = await readdir(scratch, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return new Map(
      await Promise.all(paths.map(async (path) => [relative(scratch, path), await readFile(path)] as const)),
    )
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

/**
 * Writes Node's compile cache of a parser into a child's folder, for that child alone: one that a file has taken over could
 * change the code of the next. The child then does not strip types, which takes 16 MB and half of its start. Without the
 * cache it starts, too.
 */
export const writeCompiledCode = async (type: FileType, scratch: string): Promise<void> => {
  const compiling = compiled.get(type) ?? compile(type, dirname(scratch))
  compiled.set(type, compiling)
  try {
    const files = await compiling
    for (const folder of new Set([...files.keys()].map(dirname)))
      await mkdir(join(scratch, folder), { recursive: true })
    await Promise.all([...files].map(([name, content]) => writeFile(join(scratch, name), content)))
  } catch {
    compiled.delete(type)
  }
}

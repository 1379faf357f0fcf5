import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { FileType } from '@cairn/contracts/files/file-rules'
import { startChild } from './start-child.ts'

type Files = ReadonlyMap<string, Buffer>

/** A file must not wait longer for a cache that it can do without. */
const loadWithinMs = 30_000

const compiled = new Map<FileType, Promise<Files>>()

const compile = async (type: FileType, parent: string): Promise<Files> => {
  const scratch = await mkdtemp(join(parent, 'cairn-code-'))
  try {
    const request = { type, path: scratch, options: {}, loadsOnly: true }
    const child = startChild({ request, entry: new URL('./child.ts', import.meta.url), scratch, heapMegabytes: 192 })
    child.lines.resume()
    const timer = setTimeout(() => child.process.kill('SIGKILL'), loadWithinMs)
    await child.ended
    clearTimeout(timer)
    const entries = await readdir(scratch, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return new Map(
      await Promise.all(paths.map(async (path) => [relative(scratch, path), await readFile(path)] as const)),
    )
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const compiledCode = (type: FileType, parent: string): Promise<Files> => {
  const compiling = compiled.get(type) ?? compile(type, parent)
  compiled.set(type, compiling)
  compiling.catch(() => compiled.delete(type))
  return compiling
}

/**
 * Writes Node's compile cache of a parser into a child's folder. Each child gets its own copy: otherwise a child
 * compromised by a hostile file could change the code of the next one. The cache saves stripping types, which takes 16
 * MB and half of a child's start time; a child also starts without it, so errors are ignored.
 */
export const writeCompiledCode = async (type: FileType, scratch: string): Promise<void> => {
  try {
    const files = await compiledCode(type, dirname(scratch))
    for (const folder of new Set([...files.keys()].map(dirname)))
      await mkdir(join(scratch, folder), { recursive: true })
    await Promise.all([...files].map(([name, content]) => writeFile(join(scratch, name), content)))
  } catch {}
}

import { execFile } from 'node:child_process'
import { type Dirent, existsSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type FileType, fileTypeOf, fileTypes } from '@cairn/contracts/files/file-rules'

export type RealFile = { readonly path: string; readonly type: FileType; readonly sizeBytes: number }

export type FindOptions = {
  /** Default: `realFileRoots()`. */
  readonly roots?: readonly string[]
  /** Maximum files per type. Default 20. */
  readonly perType?: number
  /** Maximum size of a file in bytes; larger files are omitted. Default 20 MB. */
  readonly maxBytes?: number
  /** Maximum directory entries to visit in total. Default 400,000. */
  readonly maxEntries?: number
}

/** Returns Python's folder of installed packages; an empty list without Python. */
const pythonPackages = async (): Promise<string[]> => {
  try {
    const { stdout } = await promisify(execFile)(
      'python3',
      ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'],
      {
        timeout: 10_000,
      },
    )
    return [stdout.trim()]
  } catch {
    return []
  }
}

/**
 * Returns the existing folders with files of other projects: the dependencies of this project and folders of the
 * system.
 */
export const realFileRoots = async (): Promise<string[]> => {
  const dependencies = path.resolve(import.meta.dirname, '../../../../node_modules')
  return [dependencies, '/usr/share/doc', '/usr/share', '/usr/lib/python3', ...(await pythonPackages())].filter(
    (root) => existsSync(root),
  )
}

/** Returns the entries sorted by name, because each machine lists them in a different order. */
const entriesOf = async (folder: string): Promise<Dirent[]> => {
  try {
    const entries: Dirent[] = []
    for await (const entry of await opendir(folder)) entries.push(entry)
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1))
  } catch {
    return []
  }
}

/** Returns the first two names of the path below the root, which identify the package of a file. */
const originOf = (root: string, file: string): string => path.relative(root, file).split(path.sep).slice(0, 2).join('/')

/** Takes items from each group in turn, so that one package or one name (`package.json`) does not fill the list. */
const mixed = <T>(groups: Iterable<readonly T[]>, max: number): T[] => {
  const lists = [...groups]
  const taken: T[] = []
  for (let index = 0; taken.length < max && lists.some((list) => index < list.length); index += 1) {
    for (const list of lists) {
      const item = list[index]
      if (item !== undefined && taken.length < max) taken.push(item)
    }
  }
  return taken
}

/** Names common to most packages; files with such a name count as one package. */
const usual =
  /^(package(-lock)?\.json|(readme|changelog|history|license|security|contributing)\.md|license(-mit)?\.txt|top_level\.txt|entry_points\.txt)$/

/** Files of one root by type and package. */
type Groups = Map<FileType, Map<string, string[]>>

/**
 * Finds files of the accepted types on this machine, from all roots and as many packages as possible. The same machine
 * gives the same list. Does not follow links. Omits empty files, copies with the same name and size, and files of this
 * repository.
 *
 * Where types are rare, unpack Debian packages (bookworm) that contain some into a temporary folder (`apt-get download`,
 * `dpkg-deb --extract`) and pass the folder as another root: pdf in graphviz-doc, lilypond-doc-pdf, r-doc-pdf,
 * debian-handbook, octave-doc, bash-doc, debian-policy; docx in r-cran-officer, python3-docx; xlsx in r-cran-openxlsx,
 * r-cran-readxl; csv in r-cran-readr.
 */
export const findRealFiles = async (options: FindOptions = {}): Promise<RealFile[]> => {
  const { roots = await realFileRoots(), perType = 20, maxBytes = 20_000_000, maxEntries = 400_000 } = options
  const visited = new Set<string>()
  let entries = 0
  const search = async (root: string): Promise<Groups> => {
    const found: Groups = new Map()
    const open = [root]
    for (let folder = open.pop(); folder !== undefined && entries < maxEntries; folder = open.pop()) {
      if (visited.has(folder)) continue
      visited.add(folder)
      for (const entry of await entriesOf(folder)) {
        entries += 1
        const full = path.join(folder, entry.name)
        if (entry.name.startsWith('.') || entry.name === '@cairn') continue
        if (entry.isDirectory()) open.push(full)
        const type = entry.isFile() ? fileTypeOf(entry.name) : undefined
        if (type === undefined) continue
        const name = entry.name.toLowerCase()
        const origin = usual.test(name) ? name : originOf(root, full)
        const groups = found.get(type) ?? new Map<string, string[]>()
        found.set(type, groups)
        const group = groups.get(origin) ?? []
        groups.set(origin, group)
        if (group.length < perType) group.push(full)
      }
    }
    return found
  }
  const all: Groups[] = []
  for (const root of roots) all.push(await search(root))
  const files: RealFile[] = []
  for (const type of fileTypes) {
    // Takes more candidates than needed, because some are empty, too large or copies.
    const candidates = mixed(
      all.map((found) => mixed((found.get(type) ?? new Map<string, string[]>()).values(), perType * 5)),
      perType * 5,
    )
    const copies = new Set<string>()
    for (const file of candidates) {
      const { size } = await stat(file)
      const copy = `${path.basename(file)} ${size}`
      if (size === 0 || size > maxBytes || copies.size >= perType || copies.has(copy)) continue
      copies.add(copy)
      files.push({ path: file, type, sizeBytes: size })
    }
  }
  return files
}

import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Lockfile } from './lockfile.ts'

type Dependencies = Readonly<Record<string, string>>
type Manifest = {
  readonly workspaces?: readonly string[]
  readonly dependencies?: Dependencies
  readonly devDependencies?: Dependencies
}

const kinds = ['dependencies', 'devDependencies'] as const

const readManifest = (root: string, folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'))

/** Returns every `package.json` of the repository by folder; the root is ''. */
export const readManifests = (root: string): ReadonlyMap<string, Manifest> => {
  const own = readManifest(root, '')
  const folders = (own.workspaces ?? []).flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: root }))
  const all = folders
    .map((file) => path.dirname(file).replaceAll(path.sep, '/'))
    .map((folder) => [folder, readManifest(root, folder)] as const)
  return new Map([['', own], ...all])
}

const isPinned = (name: string, version: string): boolean =>
  name.startsWith('@cairn/') ? version === '*' : /^(npm:.+@)?\d+\.\d+\.\d+$/.test(version)

/**
 * Returns one sentence for each difference between `package.json` files and the lock file, for each version that is not
 * exact, and for each package with different versions in two files.
 */
export const manifestFaults = (manifests: ReadonlyMap<string, Manifest>, { packages }: Lockfile): readonly string[] => {
  const faults: string[] = []
  const firstSeen = new Map<string, string>()
  for (const [folder, manifest] of manifests) {
    const where = path.posix.join(folder, 'package.json')
    const locked = packages[folder] as Manifest | undefined
    for (const kind of kinds) {
      const declared = manifest[kind] ?? {}
      if (!isDeepStrictEqual({ ...declared }, { ...locked?.[kind] }))
        faults.push(`${kind} of ${where} are not the ones in package-lock.json: run npm install`)
      for (const [name, version] of Object.entries(declared)) {
        if (!isPinned(name, version)) faults.push(`${name} ${version} in ${where} is not an exact version`)
        const other = firstSeen.get(name) ?? version
        if (other !== version) faults.push(`${name} is ${version} in ${where} and ${other} elsewhere`)
        firstSeen.set(name, other)
      }
    }
  }
  return faults
}

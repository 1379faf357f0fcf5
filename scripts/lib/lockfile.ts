import { isInRange } from './version-range.ts'

/** The checked parts of `package-lock.json` (version 3); keys of `packages` are folders. */
export type Lockfile = {
  readonly lockfileVersion: number
  readonly packages: Readonly<Record<string, LockedPackage>>
}

type LockedPackage = {
  readonly name?: string
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Content of `scripts/denied-dependencies.json`, which is maintained by hand. */
export type DependencyPolicy = {
  readonly denied: readonly { readonly package: string; readonly versions: string; readonly reason: string }[]
  readonly installScripts: readonly { readonly package: string; readonly reason: string }[]
}

const publicRegistry = 'https://registry.npmjs.org/'

const nameOf = (folder: string, locked: LockedPackage): string =>
  locked.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Whether Node resolves the package: looks in the folder's own `node_modules`, then in those of its parent folders. */
const isLocked = (packages: Lockfile['packages'], folder: string, dependency: string): boolean => {
  const above = folder.lastIndexOf('/node_modules/')
  if (`${folder}/node_modules/${dependency}` in packages || `node_modules/${dependency}` in packages) return true
  return above > 0 && isLocked(packages, folder.slice(0, above), dependency)
}

const faultsOf = (
  folder: string,
  locked: LockedPackage,
  { packages }: Lockfile,
  policy: DependencyPolicy,
): readonly string[] => {
  const name = nameOf(folder, locked)
  const { version = '', resolved } = locked
  const faults: string[] = []
  if (!locked.integrity) faults.push(`${name}@${version} has no integrity hash`)
  if (resolved && !resolved.startsWith(publicRegistry))
    faults.push(`${name}@${version} is locked to ${resolved}, not to the public registry`)
  for (const { versions, reason } of policy.denied.filter((denied) => denied.package === name)) {
    if (isInRange(version, versions)) faults.push(`${name}@${version} is denied: ${reason}`)
  }
  if (locked.hasInstallScript && !policy.installScripts.some((known) => known.package === name)) {
    faults.push(`${name}@${version} has an install script and is not on the list`)
  }
  for (const dependency of Object.keys(locked.optionalDependencies ?? {})) {
    if (!isLocked(packages, folder, dependency))
      faults.push(`${name}@${version} is locked without ${dependency}, which npm ci needs on another platform`)
  }
  return faults
}

/** Returns the faults of a lock file, one sentence each; empty when it is sound. */
export const lockfileFaults = (lock: Lockfile, policy: DependencyPolicy): readonly string[] => {
  if (lock.lockfileVersion !== 3) return [`package-lock.json has version ${lock.lockfileVersion}, not 3`]
  const faults = Object.entries(lock.packages)
    .filter(([folder, locked]) => folder.includes('node_modules/') && !locked.link)
    .flatMap(([folder, locked]) => faultsOf(folder, locked, lock, policy))
  const locked = new Set(Object.entries(lock.packages).map(([folder, entry]) => nameOf(folder, entry)))
  const gone = policy.installScripts.filter((known) => !locked.has(known.package))
  return [...faults, ...gone.map((known) => `${known.package} is on the list of install scripts and no longer locked`)]
}

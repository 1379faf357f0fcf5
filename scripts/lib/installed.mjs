import { readFileSync } from 'node:fs'
import path from 'node:path'

const readPackages = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

const same = (left, right) =>
  left.version === right.version && left.integrity === right.integrity && Boolean(left.link) === Boolean(right.link)

/** npm writes lists such as `["linux"]` and `["!win32"]`; absent means any. */
const fits = (list, actual) => {
  if (!list) return true
  if (list.includes(`!${actual}`)) return false
  return list.every((name) => name.startsWith('!')) || list.includes(actual)
}

/** Whether a package is installed for this platform. npm marks those that only development needs. */
const isNeeded = (entry, omitDev) =>
  !entry.link &&
  !(omitDev && (entry.dev || entry.devOptional)) &&
  fits(entry.os, process.platform) &&
  fits(entry.cpu, process.arch)

/** Returns the folders of the packages that `package-lock.json` below `root` names for this platform. */
export const neededFolders = (root, { omitDev = false } = {}) =>
  Object.entries(readPackages(path.join(root, 'package-lock.json')) ?? {})
    .filter(([name, entry]) => name.includes('node_modules/') && isNeeded(entry, omitDev))
    .map(([name]) => path.join(root, name))

/**
 * Whether `node_modules` below `root` holds what `package-lock.json` says, for this platform. With `omitDev`, packages
 * that only development needs may be missing.
 *
 * npm writes `node_modules/.package-lock.json` last, so its presence means the install was finished. The two files are
 * compared by content: times of files say nothing after a copy or a change of branch.
 */
export const isInstalled = (root, { omitDev = false } = {}) => {
  const locked = readPackages(path.join(root, 'package-lock.json'))
  const present = readPackages(path.join(root, 'node_modules', '.package-lock.json'))
  if (!locked || !present) return false
  for (const [name, entry] of Object.entries(locked)) {
    if (!name.includes('node_modules/')) continue
    const found = present[name]
    const mayBeMissing = entry.optional || entry.devOptional || entry.peer || (omitDev && entry.dev)
    if (found ? !same(entry, found) : !mayBeMissing) return false
  }
  return Object.entries(present).every(
    ([name, entry]) =>
      (name in locked || !name.includes('node_modules/')) &&
      fits(entry.os, process.platform) &&
      fits(entry.cpu, process.arch),
  )
}

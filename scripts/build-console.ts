// npm run console: builds packages/console into its folder dist, if dist is missing or outdated.
import { createHash } from 'node:crypto'
import { chmodSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { withInstallLock } from './lib/install-lock.mjs'

const root = path.dirname(import.meta.dirname)
const folder = path.join(root, 'packages/console')
const dist = path.join(folder, 'dist')
const stamp = '.built-from'

/**
 * Returns a hash of everything that the build reads, except for installed packages, which are represented by the
 * manifest.
 */
const hashOfSources = (): string => {
  const patterns = [
    'packages/console/{src/**,index.html,package.json,vite.config.ts}',
    'packages/client/{src/**,package.json}',
    'package.json',
  ]
  const names = globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const name of names.sort()) hash.update(path.relative(root, name)).update('\0').update(readFileSync(name))
  return hash.digest('hex')
}

const isCurrent = (sources: string): boolean => {
  try {
    return readFileSync(path.join(dist, stamp), 'utf8') === sources
  } catch {
    return false
  }
}

const build = async (sources: string): Promise<void> => {
  const { build: bundle } = await import('vite')
  // Renamed into place only when complete, because a gateway may read the folder at any time.
  const fresh = mkdtempSync(path.join(folder, '.dist-'))
  const former = `${fresh}-former`
  try {
    await bundle({ root: folder, logLevel: 'warn', build: { outDir: fresh, emptyOutDir: true } })
    writeFileSync(path.join(fresh, stamp), sources)
    // An image runs as another user, who must be able to read the folder.
    chmodSync(fresh, 0o755)
    try {
      renameSync(dist, former)
    } catch {}
    renameSync(fresh, dist)
  } finally {
    for (const each of [fresh, former]) rmSync(each, { recursive: true, force: true })
  }
}

const sources = hashOfSources()
// Several processes may start at once: the first one builds, the others wait for the lock and find the build up to
// date.
const lock = path.join(folder, '.build.lock')
const buildOnce = async () => {
  if (!isCurrent(sources)) await build(sources)
}
if (!isCurrent(sources)) await withInstallLock(lock, buildOnce, 'builds the console')

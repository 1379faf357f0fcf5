import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultCacheDir } from '@cairn/adapters/embedder/model/cache-dir'

const version = '4.32.5'

const run = (command: string, args: readonly string[]): void => {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: 300_000 })
  if (error)
    throw new Error(`${command} can't be run (${error.message}); schemathesis needs Python 3.10 or later with venv`)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}

/** The path of `st`, in a Python environment of its own below the user's cache; made the first time. */
export const installSchemathesis = (): string => {
  const folder = join(defaultCacheDir(), 'schemathesis', version)
  const st = join(folder, 'bin', 'st')
  // Written last, so that an installation that was cut off is made again.
  const done = join(folder, 'complete')
  if (existsSync(done)) return st
  process.stdout.write(`Installing schemathesis ${version} into ${folder}\n`)
  rmSync(folder, { recursive: true, force: true })
  run('python3', ['-m', 'venv', folder])
  run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${version}`])
  writeFileSync(done, `${version}\n`)
  return st
}

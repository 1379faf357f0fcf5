import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'

const root = join(import.meta.dirname, '../..')
/** Copied, because commands that add files do not follow links. */
const copied = ['README.md', 'docs']
/** Paths that are left out of a checkout. */
const left = ['.git', '.turbo', 'data', 'coverage', '.env', '.install.lock']

/**
 * A folder in which the pages' commands work as in a checkout without data. `bin` is a folder in it with the command
 * `cairn`; `scratch` is a folder in it for temporary files.
 */
export type Checkout = { readonly folder: string; readonly bin: string; readonly scratch: string; remove(): void }

/** Creates a checkout. `docs` filters the files of docs/ by relative path; default: all. */
export const createCheckout = (docs: (path: string) => boolean = () => true): Checkout => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-pages-')))
  for (const name of readdirSync(root)) {
    if (left.includes(name)) continue
    if (copied.includes(name))
      cpSync(join(root, name), join(folder, name), {
        recursive: true,
        filter: (from) =>
          basename(from) !== '.vitepress' &&
          (!statSync(from).isFile() || name !== 'docs' || docs(relative(join(root, 'docs'), from))),
      })
    else symlinkSync(join(root, name), join(folder, name))
  }
  const [bin, scratch] = [join(folder, '.bin'), join(folder, '.scratch')]
  for (const each of [bin, scratch]) mkdirSync(each)
  // Provides the command that `npm link -w @cairn/cli` would put in the PATH.
  const command = join(bin, 'cairn')
  writeFileSync(command, `#!/bin/sh\nexec node '${join(root, 'packages/cli/src/main.ts')}' "$@"\n`)
  chmodSync(command, 0o755)
  return { folder, bin, scratch, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

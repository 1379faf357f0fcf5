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
/** A command that adds files does not follow links. */
const copied = ['README.md', 'docs']
/** Paths that a fresh checkout lacks or must not share. */
const left = ['.git', '.turbo', 'data', 'coverage', '.env', '.install.lock']

/** A folder in which the commands of the pages work as in a checkout, with no data yet. `bin` and `scratch` are folders of its own. */
export type Checkout = { readonly folder: string; readonly bin: string; readonly scratch: string; remove(): void }

/** `docs` chooses among the files of docs/ by their path below it; default: all. */
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
  // As `npm link -w @cairn/cli` puts it on the path.
  const command = join(bin, 'cairn')
  writeFileSync(command, `#!/bin/sh\nexec node '${join(root, 'packages/cli/src/main.ts')}' "$@"\n`)
  chmodSync(command, 0o755)
  return { folder, bin, scratch, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

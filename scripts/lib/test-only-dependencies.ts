import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Imports of a source file by their names, such as `zod` or `@cairn/domain/ids`. */
export type Imports = { readonly file: string; readonly names: readonly string[] }

const isTestCode = (file: string): boolean => /[.](test|contract|fixture)[.]tsx?$/.test(file)

/** Dependencies that product code opens by path or name instead of importing them. */
const opened = new Set(['@tesseract.js-data/eng'])

/**
 * Returns the `dependencies` of packages and services that only their tests import, as `folder: name`. They belong into
 * `devDependencies`: an image and `npm install --omit=dev` then leave them out.
 */
export const testOnlyDependencies = (root: string, imports: readonly Imports[]): string[] =>
  globSync('{packages,services}/*/package.json', { cwd: root }).flatMap((manifest) => {
    const folder = path.dirname(manifest)
    if (folder === 'packages/testing') return []
    const { dependencies = {} } = JSON.parse(readFileSync(path.join(root, manifest), 'utf8'))
    const product = imports.filter(({ file }) => file.startsWith(`${folder}/`) && !isTestCode(file))
    const used = new Set(product.flatMap(({ names }) => names.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0])))
    return Object.keys(dependencies)
      .filter((name) => !used.has(name) && !opened.has(name))
      .map((name) => `${folder}: ${name}`)
  })

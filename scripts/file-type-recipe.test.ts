import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileTypes } from '@cairn/contracts/file-rules'
import { expect, it } from 'vitest'

const root = dirname(import.meta.dirname)
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const recipe = guide.split('\n## Add a file type\n')[1]?.split('\n## ')[0] ?? ''
/** Folders that the recipe abbreviates. */
const folders: Readonly<Record<string, string>> = {
  'extract/': 'services/file-pipeline/src/extract/',
  'material/': 'packages/testing/src/material/',
}
const pathOf = (name: string): string =>
  Object.entries(folders).reduce(
    (path, [short, long]) => (path.startsWith(short) ? path.replace(short, long) : path),
    name,
  )
const named = [...recipe.matchAll(/[`(]([\w./-]+\.(?:ts|md|json))[`)]/g)].map(([, name = '']) => pathOf(name))
const sources = globSync('{packages,services,e2e,bench,scripts}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (path) => ['node_modules', 'dist'].includes(basename(path)),
})

it('names files that exist', () => {
  const tails = new Set(sources.flatMap((path) => [path, basename(path)]))
  const isThere = (path: string) => tails.has(path) || globSync(path, { cwd: root }).length > 0
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((path) => !isThere(path))).toEqual([])
})

it('names every file that the type added last has changed', () => {
  const type = fileTypes.at(-1) ?? ''
  const literal = new RegExp(`'\\.?${type}'|^\\s*${type}:`, 'm')
  // The type's own files, and those written by the commands of the recipe.
  const isExpected = (path: string) =>
    path.includes(`/${type}/`) || basename(path).includes(`-${type}.`) || path.startsWith('packages/client/src/api-')
  const touched = sources.filter((path) => !isExpected(path) && literal.test(readFileSync(join(root, path), 'utf8')))
  expect(touched.length).toBeGreaterThan(5)
  expect(touched.filter((path) => !named.some((name) => path === name || path.endsWith(`/${name}`)))).toEqual([])
})

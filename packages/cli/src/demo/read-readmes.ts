import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceText } from './collect-texts.ts'

const entriesOf = (directory: string): Dirent[] => {
  try {
    return readdirSync(directory, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

/** Returns real directories only: links lead to the packages of this workspace. */
const packagesIn = (nodeModules: string): { readonly name: string; readonly directory: string }[] =>
  entriesOf(nodeModules)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap((entry) => {
      const directory = join(nodeModules, entry.name)
      if (!entry.name.startsWith('@')) return [{ name: entry.name, directory }]
      const scoped = entriesOf(directory).filter((inner) => inner.isDirectory())
      return scoped.map((inner) => ({ name: `${entry.name}/${inner.name}`, directory: join(directory, inner.name) }))
    })

/** Finds the name in any letter case; undefined without a README.md. */
export const readmeOf = (directory: string): string | undefined => {
  const entry = entriesOf(directory).find(({ name }) => /^readme\.md$/i.test(name))
  return entry && readFileSync(join(directory, entry.name), 'utf8')
}

/** Yields the README of every package, also of nested ones, which are named by their full path. */
export async function* readReadmes(nodeModules: string, prefix = ''): AsyncGenerator<SourceText> {
  for (const { name, directory } of packagesIn(nodeModules)) {
    const text = readmeOf(directory)
    if (text !== undefined) yield { name: `${prefix}${name}`, text, source: 'readme' }
    yield* readReadmes(join(directory, 'node_modules'), `${prefix}${name}/node_modules/`)
  }
}

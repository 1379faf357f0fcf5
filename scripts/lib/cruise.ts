import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser'
import { testOnlyDependencies } from './test-only-dependencies.ts'

/** `from` and `to` are paths relative to the checked tree. */
export type Offence = { readonly rule: string; readonly from: string; readonly to: string }

export type Cruise = {
  readonly offences: readonly Offence[]
  /** Source files of the tree that the cruiser read. */
  readonly checked: readonly string[]
  /**
   * Source files of the tree that the cruiser did not read. A misconfigured cruiser reads nothing and finds no
   * violation.
   */
  readonly missed: readonly string[]
  /** Dependencies that only tests import, as `folder: name`. */
  readonly testOnly: readonly string[]
}

const roots = ['packages', 'services', 'bench', 'e2e', 'scripts']

const sourceFiles = (baseDir: string): readonly string[] =>
  globSync(`{${roots.join(',')}}/**/*.{ts,tsx,mjs,cjs}`, { cwd: baseDir, exclude: (name) => name === 'node_modules' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith('.d.ts') && !file.startsWith('packages/console/dist/'))

/** Applies this repository's `.dependency-cruiser.cjs` to the tree at `baseDir`, which may be another tree. */
export const cruiseTree = async (baseDir: string): Promise<Cruise> => {
  const config: IConfiguration = createRequire(import.meta.url)('../../.dependency-cruiser.cjs')
  const { options = {}, forbidden = [] } = config
  const { enhancedResolveOptions, ...cruiseOptions } = options
  const files = sourceFiles(baseDir)
  const { output } = await cruise(
    [...files],
    { ...cruiseOptions, baseDir, validate: true, ruleSet: { forbidden } },
    enhancedResolveOptions as Parameters<typeof cruise>[2],
  )
  const { modules, summary } = output as ICruiseResult
  const read = new Set(modules.filter(({ couldNotResolve }) => !couldNotResolve).map(({ source }) => source))
  const imports = modules.map(({ source, dependencies }) => ({
    file: source,
    names: dependencies.map(({ module }) => module),
  }))
  return {
    testOnly: testOnlyDependencies(baseDir, imports),
    offences: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    checked: files.filter((file) => read.has(file)),
    missed: files.filter((file) => !read.has(file)),
  }
}

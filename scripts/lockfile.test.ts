import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type DependencyPolicy, type Lockfile, lockfileFaults } from './lib/lockfile.ts'
import { manifestFaults } from './lib/manifests.ts'
import { isInRange } from './lib/version-range.ts'

const read = (file: string) => JSON.parse(readFileSync(path.join(import.meta.dirname, file), 'utf8'))
const policy: DependencyPolicy = read('denied-dependencies.json')

const sound = { version: '1.0.0', integrity: 'sha512-x' }
const lockOf = (packages: Lockfile['packages']): Lockfile => ({ lockfileVersion: 3, packages })
const noScripts: DependencyPolicy = { ...policy, installScripts: [] }

describe('the lock file', () => {
  it('holds no denied version, no unlisted install script and no private registry', () => {
    const lock: Lockfile = read('../package-lock.json')
    expect(Object.keys(lock.packages).length).toBeGreaterThan(150)
    expect(lockfileFaults(lock, policy)).toEqual([])
  })

  it.each([
    ['a denied version', { 'node_modules/multer': { ...sound, version: '2.0.2' } }, 'multer@2.0.2 is denied'],
    [
      'a denied version deep in the tree',
      { 'node_modules/a/node_modules/xlsx': { ...sound, version: '0.18.5' } },
      'xlsx@0.18.5 is denied',
    ],
    [
      'a denied package behind an alias',
      { 'node_modules/sheets': { ...sound, name: 'xlsx', version: '0.18.5' } },
      'xlsx@0.18.5 is denied',
    ],
    [
      'an unlisted install script',
      { 'node_modules/a': { ...sound, hasInstallScript: true } },
      'a@1.0.0 has an install script',
    ],
    [
      'another registry',
      { 'node_modules/a': { ...sound, resolved: 'https://mirror.example/a.tgz' } },
      'not to the public registry',
    ],
    [
      'a dependency from a repository',
      { 'node_modules/a': { ...sound, resolved: 'git+ssh://git@github.com/a/a.git' } },
      'not to the public registry',
    ],
    ['a missing integrity hash', { 'node_modules/a': { version: '1.0.0' } }, 'a@1.0.0 has no integrity hash'],
    [
      'a platform package that was not locked',
      { 'node_modules/a': { ...sound, optionalDependencies: { 'a-darwin': '1.0.0' } } },
      'a@1.0.0 is locked without a-darwin',
    ],
  ])('is refused with %s', (_, packages, fault) => {
    expect(lockfileFaults(lockOf(packages), noScripts)).toEqual([expect.stringContaining(fault)])
  })

  it('may hold the fixed versions, and links to workspaces', () => {
    const packages = {
      'node_modules/multer': { ...sound, version: '2.5.0' },
      'node_modules/path-to-regexp': {
        ...sound,
        version: '8.4.2',
        resolved: 'https://registry.npmjs.org/path-to-regexp.tgz',
      },
      'node_modules/@cairn/adapters': { resolved: 'packages/adapters', link: true },
    }
    expect(lockfileFaults(lockOf(packages), noScripts)).toEqual([])
  })

  it('is refused when an entry of the list of install scripts has become stale', () => {
    expect(lockfileFaults(lockOf({}), policy)).toHaveLength(policy.installScripts.length)
  })
})

describe('the manifests', () => {
  const lock = lockOf({
    '': {},
    a: { dependencies: { zod: '4.6.7', '@cairn/adapters': '*' } } as object,
    b: { dependencies: { zod: '4.6.7' } } as object,
  })

  it('agree with the lock file', () => {
    const manifests = new Map([
      ['a', { dependencies: { zod: '4.6.7', '@cairn/adapters': '*' } }],
      ['b', { dependencies: { zod: '4.6.7' } }],
    ])
    expect(manifestFaults(manifests, lock)).toEqual([])
  })

  it('are refused with a range, with two versions of one package, or when the lock is stale', () => {
    const manifests = new Map([
      ['a', { dependencies: { zod: '4.6.7', '@cairn/adapters': '*' } }],
      ['b', { dependencies: { zod: '^4.6.7' } }],
    ])
    expect(manifestFaults(manifests, lock)).toEqual([
      expect.stringContaining('run npm install'),
      expect.stringContaining('not an exact version'),
      expect.stringContaining('4.6.7 elsewhere'),
    ])
  })
})

describe('a range of versions', () => {
  it.each([
    ['1.2.2', '<1.2.3', true],
    ['1.2.3', '<1.2.3', false],
    ['1.10.0', '<1.9.0', false],
    ['8.3.0', '<0.1.10 || >=1.0.0 <8.4.0', true],
    ['0.1.12', '<0.1.10 || >=1.0.0 <8.4.0', false],
    ['3.0.0-beta.1', '=3.0.0', true],
    ['9.9.9', '*', true],
  ])('%s is in %s: %s', (version, range, expected) => {
    expect(isInRange(version, range)).toBe(expected)
  })

  it('refuses what it cannot read', () => {
    expect(() => isInRange('1.0.0', '^1.0.0')).toThrow('not a condition')
    expect(() => isInRange('next', '<1.0.0')).toThrow('not a version')
  })
})

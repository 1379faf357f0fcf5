import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../temporary.ts'
import { findRealFiles } from './find-real-files.ts'

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const root = temporaryDirectory()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(root, name, '..'), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return root
}

describe('findRealFiles', () => {
  it('finds files of the accepted types by their extension, without empty and large ones and links', async () => {
    const root = folderWith({
      'a/x.PDF': '%PDF',
      'a/y.csv': 'a,b',
      'b/empty.txt': '',
      'b/large.txt': 'x'.repeat(2_000),
      'b/z.exe': 'x',
      'b/n.txt': 'n',
    })
    symlinkSync(join(root, 'a'), join(root, 'c'))
    const files = await findRealFiles({ roots: [root], maxBytes: 1_000 })
    expect(files).toEqual([
      { path: join(root, 'a/x.PDF'), type: 'pdf', sizeBytes: 4 },
      { path: join(root, 'b/n.txt'), type: 'txt', sizeBytes: 1 },
      { path: join(root, 'a/y.csv'), type: 'csv', sizeBytes: 3 },
    ])
  })

  it('takes from each package in turn, and copies once', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`a/a/${index}.txt`, 'x'.repeat(9 + index)]),
    )
    const root = folderWith({ ...many, 'b/b/1.txt': 'x', 'b/c/1.txt': 'x', 'c/c/1.txt': 'xx' })
    const files = await findRealFiles({ roots: [root], perType: 4 })
    expect(files.map(({ path }) => path.slice(root.length + 1)).sort()).toEqual([
      'a/a/0.txt',
      'a/a/1.txt',
      'b/c/1.txt',
      'c/c/1.txt',
    ])
  })

  it('looks at no more than it may', async () => {
    const root = folderWith({ 'a/1.txt': 'x', 'b/1.txt': 'y', 'c/1.txt': 'z' })
    expect(await findRealFiles({ roots: [root], maxEntries: 3 })).toEqual([])
    expect(await findRealFiles({ roots: [join(root, 'not there')] })).toEqual([])
  })
})

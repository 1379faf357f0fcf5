import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findFiles } from './find-files.ts'

const folderWith = (...files: readonly string[]): string => {
  const folder = join(temporaryDirectory(), 'docs')
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), file)
  }
  return folder
}
const namesIn = async (...paths: readonly string[]) => (await findFiles(paths)).map(({ name }) => name)

describe('the files at a path', () => {
  it('are those of known types, named below the folder', async () => {
    const folder = folderWith(
      'b.md',
      'a.PDF',
      'inner/c.txt',
      'image.ico',
      '.hidden.md',
      '.git/x.md',
      'node_modules/y.md',
    )
    expect(await namesIn(folder)).toEqual(['docs/a.PDF', 'docs/b.md', 'docs/inner/c.txt'])
    expect(await namesIn(join(folder, 'inner'), join(folder, 'b.md'))).toEqual(['inner/c.txt', 'b.md'])
    const [file] = await findFiles([join(folder, 'b.md')])
    expect(file).toEqual({ path: join(folder, 'b.md'), name: 'b.md', size: 4, changedMs: expect.any(Number) })
  })

  it('are taken once, and never two of one name', async () => {
    const folder = folderWith('a.md', 'inner/a.md')
    expect(await namesIn(join(folder, 'a.md'), join(folder, 'a.md'))).toEqual(['a.md'])
    await expect(findFiles([join(folder, 'a.md'), join(folder, 'inner/a.md')])).rejects.toThrow(
      'would both be named a.md',
    )
  })

  it('are refused when they are not there, or of another type', async () => {
    const folder = folderWith('image.ico')
    await expect(findFiles([join(folder, 'none.md')])).rejects.toMatchObject({ code: 'invalid' })
    await expect(findFiles([join(folder, 'image.ico')])).rejects.toThrow('.pdf')
    expect(await findFiles([folder])).toEqual([])
  })

  it('are no sockets, pipes or devices, which might be read forever', async () => {
    const folder = folderWith('a.md')
    const socket = createServer().listen(join(folder, 'socket.md'))
    onTestFinished(() => void socket.close())
    await once(socket, 'listening')
    expect(await namesIn(folder)).toEqual(['docs/a.md'])
    await expect(findFiles([join(folder, 'socket.md')])).rejects.toMatchObject({ code: 'invalid' })
  })
})

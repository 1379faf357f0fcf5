import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { writeCompiledCode } from './compiled-code.ts'
import { startChild } from './start-child.ts'

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

it('is written anew for each child, so that no child can change the code of another', async () => {
  const [first, second] = [temporaryDirectory(), temporaryDirectory()]
  await writeCompiledCode('txt', first)
  const files = filesOf(first)
  expect(files.length).toBeGreaterThan(5)
  const contents = files.map((file) => readFileSync(file))
  for (const file of files) writeFileSync(file, 'changed')
  await writeCompiledCode('txt', second)
  expect(filesOf(second).map((file) => readFileSync(file))).toEqual(contents)
})

it('is optional: a folder that can not be written causes no error', async () => {
  await expect(writeCompiledCode('md', join(temporaryDirectory(), 'missing', 'folder'))).resolves.toBeUndefined()
})

it('is written by a process that exits at once, because an orderly exit may wait forever for its threads', async () => {
  const scratch = temporaryDirectory()
  const request = { type: 'md', path: scratch, options: {}, loadsOnly: true } as const
  const child = startChild({ request, entry: new URL('./child.ts', import.meta.url), scratch, heapMegabytes: 192 })
  child.lines.resume()
  expect((await child.ended).signal).toBe('SIGKILL')
  expect(filesOf(scratch).length).toBeGreaterThan(5)
})

import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

const inMemory = '/dev/shm'
const enoughBytes = 512_000_000

/**
 * Returns a directory in memory if the machine has one with free space, otherwise the system's temporary directory,
 * because tests of logic would mostly wait for fsync on a disk.
 */
const baseDirectory = (): string => {
  try {
    const { bavail, bsize } = statfsSync(inMemory)
    return bavail * bsize > enoughBytes ? inMemory : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * Shares one resource, in a new directory, among all tests of a file. Useful if opening is slow; generated ids keep the
 * tests apart. The resource is opened before the first test, and closed and removed after the last.
 *
 *     const vectors = forFile((directory) => sqliteVectorIndex({ file: join(directory, 'vectors.db') }))
 *     it('…', async () => { await vectors().ensure(space) })
 */
export const forFile = <T extends { close(): Promise<unknown> }>(
  open: (directory: string) => T | Promise<T>,
): (() => T) => {
  let opened: { readonly value: T; readonly directory: string } | undefined
  beforeAll(async () => {
    const directory = mkdtempSync(join(baseDirectory(), 'cairn-test-'))
    opened = { value: await open(directory), directory }
  })
  afterAll(async () => {
    await opened?.value.close()
    if (opened) rmSync(opened.directory, { recursive: true, force: true })
    opened = undefined
  })
  return () => {
    if (!opened) throw new Error('it is opened before the first test')
    return opened.value
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Creates an empty directory, removed with its content when the running test has ended (after its `afterEach` hooks).
 */
export const temporaryDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'cairn-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/**
 * Returns a path in a new directory. The file does not exist yet. Files that an engine creates beside it are removed
 * too.
 */
export const temporaryFile = (name = 'file'): string => join(temporaryDirectory(), name)

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new empty directory, removed with all it holds when the running test has ended (after its `afterEach` hooks). */
export const temporaryDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'cairn-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A path in a directory of its own: nothing is there yet, and what an engine puts beside it goes with it. */
export const temporaryFile = (name = 'file'): string => join(temporaryDirectory(), name)

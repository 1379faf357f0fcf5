import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes for the owner only, missing folders too; a crash leaves the former or the new content. */
export const writeAtomically = (file: string, text: string): void => {
  const beside = `${file}.${process.pid}.tmp`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const handle = openSync(beside, 'w', 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(beside, file)
}

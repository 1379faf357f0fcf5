import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '@cairn/contracts/errors'
import { makePrivate } from '@cairn/domain/make-private'

/** Writes atomically, even across a power failure. */
const writeSecret = (file: string, content: string): void => {
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, `${content}\n`, { mode: 0o600, flush: true })
  renameSync(temporary, file)
}

const readSecret = (file: string): string => {
  const content = readFileSync(file, 'utf8').trim()
  if (content !== '') return content
  throw new AppError(
    'conflict',
    `The file ${file} is empty. Restore its content from a copy, or remove the file so that a new one is created.`,
  )
}

/**
 * Opens the directory for one process, readable by its owner only. The lock is an SQLite lock on a separate file,
 * released however the process ends; a second process gets an error that names the holder. `freeSpace` is called once
 * the lock is held, before anything else is written.
 */
export const openDataDirectory = (path: string, freeSpace: () => void = () => undefined) => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const at = (name: string) => join(path, name)
  makePrivate(path, 0o700)
  const lock = new DatabaseSync(at('lock'))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    const holder = existsSync(at('holder')) ? readFileSync(at('holder'), 'utf8').trim() : 'another process'
    throw new AppError(
      'conflict',
      `The data directory ${path} is in use by ${holder}. Stop that process, or set CAIRN_DATA_DIR to another directory.`,
      { cause },
    )
  }
  freeSpace()
  const write = (name: string, line: string) => writeFileSync(at(name), `${line}\n`, { mode: 0o600 })
  write('holder', `process ${process.pid}, started ${new Date().toISOString()}`)
  for (const entry of readdirSync(path, { withFileTypes: true })) if (entry.isFile()) makePrivate(at(entry.name), 0o600)
  return {
    at,
    /** Returns a file that only the owner may read; a missing one is created with the content from `make`. */
    secretFile: (name: string, make: () => string): string => {
      const file = at(name)
      if (!existsSync(file)) writeSecret(file, make())
      chmodSync(file, 0o600)
      return readSecret(file)
    },
    /** Writes the address for the command `cairn`; `close` removes the file. */
    publishAddress: (address: string): void => write('address', address),
    close: async (): Promise<void> => {
      // After the release of the lock, another process may have written its own address.
      if (!lock.isOpen) return
      rmSync(at('address'), { force: true })
      lock.close()
    },
  }
}

export type DataDirectory = ReturnType<typeof openDataDirectory>

/** Returns base64url. */
export const randomSecret = (): string => randomBytes(32).toString('base64url')

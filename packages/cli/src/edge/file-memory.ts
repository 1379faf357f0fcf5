import { readFileSync } from 'node:fs'
import { AppError } from '@cairn/contracts/errors'
import { writeAtomically } from '../write-file.ts'
import type { PulledDocument, PullMemory, PullState } from './port.ts'

const format = 1

const isRow = (row: unknown): row is [string, string | null, number] =>
  Array.isArray(row) &&
  typeof row[0] === 'string' &&
  (row[1] === null || typeof row[1] === 'string') &&
  Number.isSafeInteger(row[2])

const parse = (text: string): PullState | undefined => {
  try {
    const { format: its, source, model, documents } = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (its !== format || typeof source !== 'string' || typeof model !== 'string' || !Array.isArray(documents))
      return undefined
    if (!documents.every(isRow)) return undefined
    return {
      source,
      model,
      documents: new Map(documents.map(([id, version, chunks]): [string, PulledDocument] => [id, { version, chunks }])),
    }
  } catch {
    return undefined
  }
}

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new AppError('invalid', `The state file ${file} can't be read (${code})`, { cause })
  }
}

/** Writes atomically: to a temporary file, synced to disk and then renamed. */
export const fileMemory = (file: string): PullMemory => ({
  read: () => {
    const text = read(file)
    if (text === undefined) return undefined
    const state = parse(text)
    // An unreadable file treated as empty would leave deleted documents in the store.
    if (!state)
      throw new AppError(
        'invalid',
        `The file ${file} is not the state of a pull: choose another one with --state, or remove it`,
      )
    return state
  },
  write: ({ source, model, documents }) => {
    const rows = Array.from(documents, ([id, { version, chunks }]) => [id, version, chunks])
    writeAtomically(file, `${JSON.stringify({ format, source, model, documents: rows })}\n`)
  },
})

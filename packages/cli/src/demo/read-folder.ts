import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'
import type { SourceText } from './collect-texts.ts'

const maxFileBytes = 20 * 1024 * 1024
const decoder = new TextDecoder()

/** Yields .md and .txt files, also of subfolders, by relative path. Omits links, hidden folders and `node_modules`. */
export async function* readFolder(folder: string, prefix = ''): AsyncGenerator<SourceText> {
  const directory = join(folder, prefix)
  const entries = (() => {
    try {
      return readdirSync(directory, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    } catch (cause) {
      throw new AppError(
        'invalid',
        `The folder ${directory} can't be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'})`,
        {
          cause,
        },
      )
    }
  })()
  for (const entry of entries) {
    const name = `${prefix}${entry.name}`
    if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      yield* readFolder(folder, `${name}/`)
    if (!entry.isFile() || !/\.(md|txt)$/i.test(entry.name)) continue
    const path = join(folder, name)
    if (statSync(path).size > maxFileBytes) throw new AppError('invalid', `The file ${path} is larger than 20 MB`)
    yield { name, text: decoder.decode(readFileSync(path)), source: 'folder' }
  }
}

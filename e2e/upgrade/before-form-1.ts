import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sha256Of } from '@cairn/domain/sha256-of'

const change = (dataDir: string, ...statements: readonly string[]): void => {
  const database = new DatabaseSync(join(dataDir, 'metadata.db'))
  for (const sql of statements) database.exec(sql)
  database.close()
}

/** Makes a data directory look as the commit 5e09d85d leaves one: without form 1, and with fields that it does not have. */
export const toBeforeForm1 = (dataDir: string): void =>
  change(
    dataDir,
    "DELETE FROM schema_steps WHERE name = 'form 1'",
    "UPDATE namespaces SET document = json_remove(document, '$.language', '$.countPass')",
    "UPDATE namespaces SET document = json_set(document, '$.hasFields', json('true'), '$.keysById', json('true'))",
  )

/** Makes one namespace look as if its points were never written again since version 0.1. */
export const toVersion01 = (dataDir: string, namespace: string): void =>
  change(
    dataDir,
    `UPDATE namespaces SET document = json_remove(document, '$.hasFields', '$.lexemes') WHERE name = '${namespace}'`,
  )

/** Returns a hash of each file of a data directory, by path, without the two files of the lock. */
export const hashesOf = async (dataDir: string): Promise<Record<string, string>> => {
  const paths = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(lock|holder)/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [relative(dataDir, path), await sha256Of(path)] as const)),
  )
}

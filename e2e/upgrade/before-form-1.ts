import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

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
export const hashesOf = (dataDir: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^(lock|holder)/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(dataDir, path), createHash('sha256').update(readFileSync(path)).digest('hex')]),
  )

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Collection, collections } from '@cairn/domain/protocol/collections'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { migrateSqlite } from '../schema/sqlite.ts'
import { formContract } from './form-1.contract.ts'
import { storeMigrations } from './sqlite-migrations.ts'
import { openForWriting, SqliteSteps } from './sqlite-store.ts'

it('has after all steps the columns and indexes that the protocol searches by', () => {
  const db = openForWriting(join(temporaryDirectory(), 'metadata.db'))
  for (const name of Object.keys(collections) as Collection[]) {
    const { key, unique, indexes } = collections[name]
    const columns = db
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(name)
      .map((row) => String(row['name']))
    expect(columns.toSorted()).toEqual(
      [...new Set([...key, ...(unique ?? []), ...indexes.flat(), 'document'])].toSorted(),
    )
    const indexed = db
      .prepare('SELECT name, "unique" AS one FROM pragma_index_list(?)')
      .all(name)
      .map((row) => {
        const fields = db
          .prepare('SELECT name FROM pragma_index_info(?)')
          .all(String(row['name']))
          .map((field) => String(field['name']))
        return `${row['one'] === 1 ? 'unique ' : ''}${fields.join(' ')}`
      })
    const wanted = [
      `unique ${key.join(' ')}`,
      ...(unique ? [`unique ${unique.join(' ')}`] : []),
      ...indexes.map((index) => index.join(' ')),
    ]
    expect(indexed.toSorted()).toEqual(wanted.toSorted())
  }
  db.close()
})

describe('form 1', () => {
  formContract(async () => {
    const file = join(temporaryDirectory(), 'metadata.db')
    const made = new DatabaseSync(file)
    const migrations = storeMigrations.filter(({ name }) => name !== 'form 1')
    migrateSqlite(made, { migrations, refused: () => new Error('refused') })
    made.close()
    const using = <T>(use: (db: DatabaseSync) => T): T => {
      const db = new DatabaseSync(file)
      try {
        return use(db)
      } finally {
        db.close()
      }
    }
    return {
      put: async (collection, document) =>
        using((db) => void new SqliteSteps(db, () => 0).insert(collection, document)),
      migrate: async () => {
        const before = readFileSync(file)
        try {
          openForWriting(file).close()
        } catch (error) {
          expect(readFileSync(file).equals(before)).toBe(true)
          throw error
        }
      },
      all: async (collection) =>
        using((db) =>
          Object.fromEntries(
            db
              .prepare(`SELECT document FROM ${collection}`)
              .all()
              .map((row) => JSON.parse(String(row['document'])) as { readonly id: string })
              .map((document) => [document.id, document]),
          ),
        ),
    }
  })
})

import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { type Collection, collections } from './protocol/steps.ts'
import { openDatabase } from './sqlite-store.ts'

it('has after all steps the columns and indexes that the protocol searches by', () => {
  const db = openDatabase(join(temporaryDirectory(), 'metadata.db'), { readOnly: false })
  for (const name of Object.keys(collections) as Collection[]) {
    const { key, unique, indexes } = collections[name]
    const columns = db
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(name)
      .map((row) => String(row['name']))
    expect(columns.toSorted()).toEqual([...new Set([...key, ...(unique ?? []), ...indexes.flat(), 'document'])].toSorted())
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

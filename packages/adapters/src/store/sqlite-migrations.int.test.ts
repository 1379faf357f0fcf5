import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Collection, collections } from '@cairn/domain/protocol/collections'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { storeMigrations } from './sqlite-migrations.ts'
import { openForWriting } from './sqlite-store.ts'

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

it('finds jobs that are in a file of 0.1.0, and those that 0.1.0 writes to a file it has come back to', () => {
  const db = openForWriting(join(temporaryDirectory(), 'metadata.db'))
  // The insert uses only the columns that 0.1.0 knows.
  const insert = db.prepare(
    'INSERT INTO uploads (id, state, nextAttemptAt, createdAt, updatedAt, namespaceId, document) VALUES (?, ?, 0, 0, 0, ?, ?)',
  )
  insert.run('up', 'queued', 'ns', JSON.stringify({ id: 'up', accountId: 'acc' }))
  expect(db.prepare('SELECT accountId, lane FROM uploads').all()).toEqual([{ accountId: 'acc', lane: null }])
  const plan = db
    .prepare(
      "EXPLAIN QUERY PLAN SELECT document FROM uploads WHERE state = 'queued' AND lane IS NULL AND accountId > '' AND nextAttemptAt <= 1 ORDER BY accountId, namespaceId, nextAttemptAt LIMIT 1",
    )
    .all()
    .map((row) => String(row['detail']))
  expect(plan).toEqual(['SEARCH uploads USING INDEX uploads_by_account (state=? AND lane=? AND accountId>?)'])
  db.close()
})

it('counts the bytes of files of 0.1.0, and of those that 0.1.0 writes to a file it has come back to', () => {
  const file = join(temporaryDirectory(), 'metadata.db')
  const made = new DatabaseSync(file)
  storeMigrations[0]?.apply(made, () => undefined)
  made.exec('PRAGMA user_version = 1')
  const write = (db: DatabaseSync, id: string, sizeBytes: number) =>
    db
      .prepare("INSERT INTO files (id, namespaceId, name, document) VALUES (?, 'ns', ?, ?)")
      .run(id, id, JSON.stringify({ id, accountId: 'acc', object: { sizeBytes } }))
  write(made, 'before', 40)
  made.close()
  const db = openForWriting(file)
  write(db, 'after', 2)
  db.prepare('INSERT INTO grants (namespaceId, name, document) VALUES (?, ?, ?)').run(
    'ns',
    'g',
    JSON.stringify({ accountId: 'acc' }),
  )
  const sum = 'SELECT coalesce(sum(bytes), 0) AS n FROM files WHERE accountId = ?'
  expect(db.prepare(sum).get('acc')).toEqual({ n: 42 })
  expect(db.prepare('SELECT accountId FROM grants').all()).toEqual([{ accountId: 'acc' }])
  for (const sql of [
    sum,
    'SELECT coalesce(sum(reservedBytes), 0) AS n FROM grants WHERE accountId = ? AND reservedUntil > 1',
    'SELECT count(*) AS n FROM grants WHERE accountId = ? AND reservedUntil > 1 AND reservedBytes IS NULL',
  ])
    expect(db.prepare(`EXPLAIN QUERY PLAN ${sql}`).get('acc')?.['detail']).toContain('USING COVERING INDEX')
  db.close()
})

import type { DatabaseSync } from 'node:sqlite'
import type { Step } from '@cairn/domain/ports/store'
import { type Random, seededRandom } from '@cairn/testing/seeded-random'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it, onTestFinished } from 'vitest'
import { WriteGroup } from './sqlite-group.ts'
import { openForWriting, SqliteSteps } from './sqlite-store.ts'

const open = () => {
  const database = openForWriting(temporaryFile('metadata.db'))
  onTestFinished(() => database.close())
  return { database, store: new SqliteSteps(database, () => 0) }
}

const account = (id: string, seq = 0) => ({ id, seq, reservationCount: seq % 3, held: { documents: seq } })
const namespace = (id: string, name: string) => ({ id, accountId: 'a', name, state: 'active', openCount: 0 })
const inAccounts = { step: '', in: 'accounts' } as const
const inNamespaces = { step: '', in: 'namespaces' } as const
const insertAccount = (id: string): Step => ({ ...inAccounts, op: 'insert', documents: [account(id)] })
const raise = (id: string, where = {}): Step => ({
  ...inAccounts,
  op: 'update',
  updates: [{ key: [id], where, change: { inc: { seq: 1, reservationCount: 1, 'held.documents': 2 } } }],
})
const getAccount = (id: string): Step => ({ ...inAccounts, op: 'get', keys: [[id]] })

const ids = ['1', '2', '3']
const randomStep = (random: Random): Step => {
  const id = random.pick(ids)
  const where = random.chance(0.3) ? { reservationCount: { lte: random.below(4) } } : {}
  const steps: (() => Step)[] = [
    () => insertAccount(id),
    () => raise(id, where),
    () => raise(id, where),
    () => getAccount(id),
    () => ({ ...inAccounts, op: 'remove', removals: [{ key: [id], where }] }),
    () => ({ ...inAccounts, op: 'find', where: { reservationCount: { gt: 0 } }, order: ['id'], limit: 3 }),
    () => ({ ...inNamespaces, op: 'insert', documents: [namespace(id, `n${random.below(3)}`)] }),
    () => ({
      ...inNamespaces,
      op: 'update',
      updates: [{ key: [id], where: {}, change: { set: { name: `own-${id}` }, inc: { openCount: 1 } } }],
    }),
    () => ({ ...inNamespaces, op: 'remove', removals: [{ key: [id], where: {} }] }),
    () => ({ ...inNamespaces, op: 'get', keys: ids.map((one) => [one]) }),
    () => ({ ...inNamespaces, op: 'count', where: { state: 'active' } }),
  ]
  return random.pick(steps)()
}

/** Reads all rows of both tables, and the accounts that the index of reservations finds. */
const everything = (database: DatabaseSync) => ({
  accounts: database.prepare('SELECT * FROM accounts ORDER BY id').all(),
  namespaces: database.prepare('SELECT * FROM namespaces ORDER BY id').all(),
  reserving: database
    .prepare('SELECT id FROM accounts INDEXED BY accounts_by_reservationCount WHERE reservationCount > 0 ORDER BY id')
    .all(),
})

class Refused extends Error {}

it('has the same effect as steps in savepoints of their own, whichever methods fail', () => {
  const grouped = open()
  const plain = open()
  const group = new WriteGroup(grouped.database, grouped.store)
  for (let seed = 1; seed <= 100; seed += 1) {
    const random = seededRandom(seed)
    for (const { database } of [grouped, plain]) database.exec('BEGIN IMMEDIATE')
    for (let method = 1 + random.below(6); method > 0; method -= 1) {
      const steps = Array.from({ length: random.below(10) }, () => randomStep(random))
      const fails = random.chance(0.3)
      plain.database.exec('SAVEPOINT method')
      const wanted = steps.map((step) => plain.store.execute(step))
      plain.database.exec(fails ? 'ROLLBACK TO method; RELEASE method' : 'RELEASE method')
      const run = () =>
        group.run((execute) => {
          expect(steps.map(execute), `seed ${seed}`).toEqual(wanted)
          if (fails) throw new Refused()
        })
      if (fails) expect(run).toThrow(Refused)
      else run()
    }
    group.flush()
    for (const { database } of [grouped, plain]) database.exec('COMMIT')
    group.forget()
    expect(everything(grouped.database), `seed ${seed}`).toEqual(everything(plain.database))
  }
  expect(grouped.database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
})

it('writes a document once, however many methods of a commit change it', () => {
  const { database, store } = open()
  database.exec(
    'CREATE TABLE writes (id); CREATE TRIGGER noted AFTER UPDATE ON accounts BEGIN INSERT INTO writes VALUES (NEW.id); END',
  )
  store.execute(insertAccount('1'))
  const group = new WriteGroup(database, store)
  for (let method = 0; method < 10; method += 1) group.run((execute) => execute(raise('1')))
  expect(group.waiting()).toBe(1)
  group.flush()
  expect(database.prepare('SELECT count(*) AS n FROM writes').get()).toEqual({ n: 1 })
  expect(store.execute(getAccount('1'))).toEqual([
    { ...account('1'), seq: 10, reservationCount: 10, held: { documents: 20 } },
  ])
})

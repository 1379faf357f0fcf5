import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { AppError } from '@cairn/contracts/errors'
import { matches, withChange } from '@cairn/domain/items/documents'
import type { Body, Item } from '@cairn/domain/items/record'
import type { Condition, Key, Step, Where } from '@cairn/domain/ports/store'
import { type Collection, collections } from '@cairn/domain/protocol/collections'
import type { Log } from '../schema/migrations.ts'
import { damageError, openOwnFileAtStart, resultCode } from '../schema/sqlite.ts'
import { storeMigrations } from './sqlite-migrations.ts'

const columnsOf = (name: Collection): readonly string[] => {
  const { key, unique = [], indexes } = collections[name]
  return [...new Set([...key, ...unique, ...indexes.flat()])]
}

/** Only errors known to be temporary become AppError `unavailable`. */
export const translateError = (error: unknown): unknown => {
  const message = error instanceof Error ? error.message : String(error)
  const damage = damageError('record store', error)
  if (damage) return damage
  // BUSY, LOCKED, FULL, CANTOPEN: faults of the file or its disk, not of the statement.
  if ([5, 6, 13, 14].includes(resultCode(error))) {
    return new AppError('unavailable', `The record store can't write: ${message}.`, {
      cause: error,
      retryAfterSeconds: 5,
    })
  }
  return error
}

const cache = 'PRAGMA cache_size = -16000; PRAGMA mmap_size = 0'

/** Only one writer may open the file. */
export const openForWriting = (file: string, log?: Log): DatabaseSync => {
  try {
    return openOwnFileAtStart({
      file,
      what: 'record store',
      remedy: 'use another data directory',
      migrations: storeMigrations,
      pragmas: `${cache}; PRAGMA wal_autocheckpoint = 2000`,
      log,
    })
  } catch (error) {
    throw translateError(error)
  }
}

/** `openForWriting` must have opened the file before. */
export const openForReading = (file: string): DatabaseSync => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  database.exec(cache)
  return database
}

type Row = { readonly document: string }
type StepOf<O extends Step['op']> = Extract<Step, { op: O }>
type FindStep = StepOf<'find'>
type Slice = {
  readonly texts: readonly string[]
  readonly left: number
  readonly after: readonly SQLInputValue[] | undefined
}

/** JSON has no float32: base64 of the little-endian bytes. */
const packBody = (body: Body): object =>
  body.vector
    ? {
        ...body,
        vector: Buffer.from(body.vector.buffer, body.vector.byteOffset, body.vector.byteLength).toString('base64'),
      }
    : body
const unpackBody = (body: Body & { readonly vector?: unknown }): Body => {
  if (typeof body.vector !== 'string') return body
  const bytes = Uint8Array.from(Buffer.from(body.vector, 'base64'))
  return { ...body, vector: new Float32Array(bytes.buffer) }
}
const mapBodies = (item: Item, to: (body: Body) => object): object => ({
  ...item,
  body: to(item.body),
  indexed: item.indexed?.body ? { ...item.indexed, body: to(item.indexed.body) } : item.indexed,
})
const hasVectors = (name: Collection, document: object): document is Item => {
  const { body, indexed } = document as Item
  return name === 'items' && Boolean(body.vector ?? indexed?.body?.vector)
}
const packDocument = (name: Collection, document: object): string =>
  JSON.stringify(hasVectors(name, document) ? mapBodies(document, packBody) : document)
export const unpackDocument = (name: Collection, text: string): object => {
  const document = JSON.parse(text) as object
  return hasVectors(name, document) ? mapBodies(document, unpackBody) : document
}

const statementsOf = (name: Collection) => {
  const columns = columnsOf(name)
  const byKey = collections[name].key.map((field) => `${field} = ?`).join(' AND ')
  return {
    columns,
    byKey,
    select: `SELECT document FROM ${name} WHERE ${byKey}`,
    insert: `INSERT OR IGNORE INTO ${name} (${columns.join(', ')}, document) VALUES (${'?, '.repeat(columns.length)}?)`,
    remove: `DELETE FROM ${name} WHERE ${byKey}`,
  }
}
const statements = Object.fromEntries(
  Object.keys(collections).map((name) => [name, statementsOf(name as Collection)]),
) as {
  readonly [C in Collection]: ReturnType<typeof statementsOf>
}

const column = (value: unknown): SQLInputValue =>
  typeof value === 'string' || typeof value === 'number' ? value : null

const conditionSql = (
  path: string,
  condition: Condition,
): { readonly sql: string; readonly values: SQLInputValue[] } => {
  // `IS ?` would cover both cases, but then the planner sorts, because it does not know that at most one row matches.
  if (typeof condition !== 'object' || condition === null) {
    const value = column(condition)
    return value === null ? { sql: `${path} IS NULL`, values: [] } : { sql: `${path} = ?`, values: [value] }
  }
  const parts: string[] = []
  const values: SQLInputValue[] = []
  const add = (sql: string, value: unknown) => {
    parts.push(`${path} ${sql} ?`)
    values.push(column(value))
  }
  if (condition.ne !== undefined) add('IS NOT', condition.ne)
  if (condition.lte !== undefined) add('<=', condition.lte)
  if (condition.lt !== undefined) add('<', condition.lt)
  if (condition.gt !== undefined) add('>', condition.gt)
  return { sql: parts.join(' AND '), values }
}

const whereSql = (name: Collection, where: Where) => {
  const columns = statements[name].columns
  const parts = Object.entries(where).map(([path, condition]) => {
    if (!columns.includes(path)) throw new Error(`${name} is not searched by ${path}`)
    return conditionSql(path, condition)
  })
  return {
    sql: parts.length === 0 ? '1' : parts.map((part) => part.sql).join(' AND '),
    values: parts.flatMap((part) => part.values),
  }
}

const orderSql = ({ descending }: FindStep, fields: readonly string[]): string =>
  fields.map((field) => (descending ? `${field} DESC` : field)).join(', ')

type Fields = Readonly<Record<string, unknown>>

/** Synchronous. Callers that need several steps to be atomic use a transaction. */
export class SqliteSteps {
  readonly #database: DatabaseSync
  readonly #now: () => number
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync, now: () => number) {
    this.#database = database
    this.#now = now
  }

  execute(step: Step): unknown {
    switch (step.op) {
      case 'now':
        return this.#now()
      case 'pause':
        return false
      case 'get':
        return step.keys.map((key) => this.read(step.in, key))
      case 'find':
        return this.#find(step)
      case 'count':
        return this.#aggregate('count(*)', step)
      case 'sum':
        return this.#aggregate(`coalesce(sum(${step.field}), 0)`, step)
      case 'insert':
        return step.documents.map((document) => this.insert(step.in, document))
      case 'update':
        return step.updates.map((update) => this.#update(step.in, update))
      case 'remove':
        return step.removals.map((removal) => this.#removeIf(step.in, removal))
    }
  }

  text(name: Collection, key: Key): string | undefined {
    return (this.#prepare(statements[name].select).get(...key) as Row | undefined)?.document
  }

  read(name: Collection, key: Key): object | undefined {
    const stored = this.text(name, key)
    return stored === undefined ? undefined : unpackDocument(name, stored)
  }

  insert(name: Collection, document: object): boolean {
    const { columns, insert: sql } = statements[name]
    const fields = document as Fields
    const values = columns.map((field) => column(fields[field]))
    return this.#prepare(sql).run(...values, packDocument(name, document)).changes === 1
  }

  /** SQLite rewrites the index entries of every column in SET, changed or not. */
  write(name: Collection, key: Key, old: object, document: object): void {
    const { columns, byKey } = statements[name]
    const fields = document as Fields
    const moved = columns.filter((field) => column(fields[field]) !== column((old as Fields)[field]))
    const sql = `UPDATE ${name} SET ${moved.map((field) => `${field} = ?, `).join('')}document = ? WHERE ${byKey}`
    this.#prepare(sql).run(...moved.map((field) => column(fields[field])), packDocument(name, document), ...key)
  }

  remove(name: Collection, key: Key): void {
    this.#prepare(statements[name].remove).run(...key)
  }

  /**
   * Returns up to about `maxLength` characters of a `find`, so that a reader does not block its thread. Statements are
   * closed between slices: an open one would keep all reads of this connection on its old snapshot.
   */
  slice(step: FindStep, maxLength: number, former?: Slice): Slice {
    const { sql, values } = whereSql(step.in, step.where)
    const keyFields = collections[step.in].key.filter((field) => typeof step.where[field] !== 'string')
    const sequence = [...new Set([...step.order, ...keyFields])]
    const isBeyond = step.descending ? '<' : '>'
    const beyond = former?.after
      ? ` AND (${sequence.join(', ')}) ${isBeyond} (${sequence.map(() => '?').join(', ')})`
      : ''
    const statement = this.#prepare(
      `SELECT document, ${sequence.join(', ')} FROM ${step.in} WHERE ${sql}${beyond} ORDER BY ${orderSql(step, sequence)} LIMIT ?`,
    )
    const texts: string[] = []
    const left = former?.left ?? step.limit
    let length = 0
    for (const row of statement.iterate(...values, ...(former?.after ?? []), left)) {
      const text = String(row.document)
      texts.push(text)
      length += text.length
      if (length >= maxLength)
        return { texts, left: left - texts.length, after: sequence.map((field) => row[field] as SQLInputValue) }
    }
    return { texts, left: left - texts.length, after: undefined }
  }

  #prepare(sql: string): StatementSync {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #find(step: FindStep): object[] {
    const { sql, values } = whereSql(step.in, step.where)
    const order = orderSql(step, step.order)
    const statement = this.#prepare(`SELECT document FROM ${step.in} WHERE ${sql} ORDER BY ${order} LIMIT ?`)
    return (statement.all(...values, step.limit) as Row[]).map((row) => unpackDocument(step.in, row.document))
  }

  #aggregate(value: string, step: StepOf<'count' | 'sum'>): number {
    const { sql, values } = whereSql(step.in, step.where)
    return Number(this.#prepare(`SELECT ${value} AS n FROM ${step.in} WHERE ${sql}`).get(...values)?.n)
  }

  #update(name: Collection, { key, where, change }: StepOf<'update'>['updates'][number]): object | undefined {
    const old = this.read(name, key)
    if (!old || !matches(old, where)) return undefined
    const next = withChange(old, change)
    this.write(name, key, old, next)
    return next
  }

  #removeIf(name: Collection, { key, where }: StepOf<'remove'>['removals'][number]): boolean {
    const old = this.read(name, key)
    if (!old || !matches(old, where)) return false
    this.remove(name, key)
    return true
  }
}

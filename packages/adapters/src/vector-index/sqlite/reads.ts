import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { slices } from '@cairn/contracts/flow/slices'
import { compareText } from '@cairn/domain/items/documents'
import type { EmbeddingSpace, ItemVersion, Lexemes, PointAddress } from '@cairn/domain/ports/vector-index'
import { checkDimension } from '../check-input.ts'
import { unpackLexemes } from '../pack-lexemes.ts'
import type { TokenRange } from './field-tokens.ts'
import { countAndLengthOf, lexemePrefix } from './lexeme-tokens.ts'
import { createMatchCache } from './match-cache.ts'
import { lastSlot, pointId, slotOf, slotsPerPartition } from './schema.ts'

export type Partition = {
  readonly id: number
  readonly namespaceId: string
  readonly points: number
  readonly slots: number
}

export type StoredVector = { readonly id: number; readonly vector: Float32Array }
export type StoredLexemes = Lexemes & { readonly length: number }
export type StoredPoint = Omit<PointAddress, 'namespaceId'> & StoredVector
type Address = Omit<PointAddress, 'namespaceId'>

/** Longer lists would exceed a limit of the query parser. */
const tokensPerMatch = 50

const cacheBytes = 16_000_000
const bytesPerGroup = 100

/** In groups of one count, as in `Lexemes.counts`, and one length class. */
export type Postings = {
  readonly points: number
  readonly groups: readonly { readonly count: number; readonly lengthClass: number; readonly slots: Uint32Array }[]
}

/** Points, and places to read them from, for the average length of a large partition. */
const sampledPoints = 1_000
const samples = 10

/** Rows as arrays avoid an object for each of thousands of rows. */
const statementsOf = (db: DatabaseSync) => {
  db.exec("CREATE VIRTUAL TABLE temp.token_points USING fts5vocab('main', 'tokens', 'instance')")
  const rows = (sql: string): ((...values: (number | string)[]) => SQLOutputValue[][]) => {
    const statement = db.prepare(sql)
    statement.setReturnArrays(true)
    return (...values) => statement.all(...values) as unknown as SQLOutputValue[][]
  }
  return {
    space: rows('SELECT id, dimension FROM spaces WHERE key = ?'),
    partition: rows('SELECT id, points, slots FROM partitions WHERE space = ? AND namespace_id = ?'),
    vectors: rows('SELECT id, vector FROM points WHERE id IN (SELECT value FROM json_each(?))'),
    vectorsBetween: rows('SELECT id, vector FROM points WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?'),
    points: rows(
      'SELECT id, item_id, version, passage, vector FROM points WHERE id IN (SELECT value FROM json_each(?))',
    ),
    addresses: rows(
      `SELECT item_id, version, passage, id FROM points INDEXED BY points_by_address
       WHERE partition = ? AND (item_id, version, passage) > (?, ?, ?) ORDER BY item_id, version, passage LIMIT ?`,
    ),
    at: rows('SELECT id FROM points WHERE partition = ? AND item_id = ? AND version = ? AND passage = ?'),
    ofVersion: rows('SELECT id FROM points WHERE partition = ? AND item_id = ? AND version = ?'),
    addressesOf: rows('SELECT item_id, version, passage, id FROM points WHERE id IN (SELECT value FROM json_each(?))'),
    // One text takes a third of the time of one row per match.
    matches: rows(`SELECT json_group_array(rowid % ${slotsPerPartition}) FROM tokens WHERE tokens MATCH ?`),
    firstMatch: rows('SELECT rowid FROM tokens WHERE tokens MATCH ? LIMIT 1'),
    postings: rows(
      `SELECT term, json_group_array(doc % ${slotsPerPartition}) FROM temp.token_points
       WHERE term >= ? AND term < ? GROUP BY term`,
    ),
    pointsBetween: rows(
      `SELECT json_group_array(DISTINCT doc % ${slotsPerPartition}) FROM temp.token_points WHERE term >= ? AND term < ?`,
    ),
    slotsBetween: rows(`SELECT json_group_array(id % ${slotsPerPartition}) FROM points WHERE id BETWEEN ? AND ?`),
    lexemes: rows('SELECT id, length, packed FROM lexemes WHERE id IN (SELECT value FROM json_each(?))'),
    lengthsFrom: rows(
      'SELECT count(*), sum(length) FROM (SELECT length FROM lexemes WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?)',
    ),
    fileVersion: rows('PRAGMA data_version'),
  }
}

const toVector = (blob: SQLOutputValue | undefined): Float32Array => {
  const bytes = blob as Uint8Array
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / Float32Array.BYTES_PER_ELEMENT)
}

const toStored = (row: SQLOutputValue[]): StoredVector => ({ id: row[0] as number, vector: toVector(row[1]) })

const toAddress = (row: SQLOutputValue[]): Address & { readonly id: number } => ({
  itemId: row[0] as string,
  version: row[1] as string,
  passage: row[2] as number,
  id: row[3] as number,
})

const parseSlots = (row: SQLOutputValue[] | undefined): Uint32Array =>
  Uint32Array.from(JSON.parse(row?.[0] as string) as number[])

/** Each method runs to its end without a pause. */
export class PointReads {
  readonly #db: DatabaseSync
  readonly #sql: ReturnType<typeof statementsOf>
  readonly cache: ReturnType<typeof createMatchCache>

  constructor(db: DatabaseSync) {
    this.#db = db
    this.#sql = statementsOf(db)
    this.cache = createMatchCache({ maxBytes: cacheBytes, version: () => this.version() })
  }

  /** Changes with every commit of the writer. */
  version(): number {
    return this.#sql.fileVersion()[0]?.[0] as number
  }

  /** Runs one transaction, so that all reads see the same state. */
  atOnce<T>(read: () => T): T {
    this.#db.exec('BEGIN')
    try {
      return read()
    } finally {
      this.#db.exec('COMMIT')
    }
  }

  /** Returns only partitions that have points, without duplicates, sorted by the UTF-8 bytes of the namespace ids. */
  partitions(space: EmbeddingSpace, namespaceIds: readonly string[]): Partition[] {
    const found = this.#sql.space(space.key)[0]
    if (!found) return []
    checkDimension(space, found[1])
    return [...new Set(namespaceIds)].sort(compareText).flatMap((namespaceId) => {
      const row = this.#sql.partition(found[0] as number, namespaceId)[0]
      if (!row) return []
      const [id, count, slots] = row as [number, number, number]
      return { id, namespaceId, points: count, slots }
    })
  }

  /** Omits missing points; returns the others in any order. */
  vectors(ids: readonly number[]): StoredVector[] {
    return this.#sql.vectors(JSON.stringify(ids)).map(toStored)
  }

  vectorsFrom(partitionId: number, slot: number, limit: number): StoredVector[] {
    return this.#sql.vectorsBetween(pointId(partitionId, slot), pointId(partitionId, lastSlot), limit).map(toStored)
  }

  points(ids: readonly number[]): StoredPoint[] {
    return this.#sql.points(JSON.stringify(ids)).map((row) => ({
      id: row[0] as number,
      itemId: row[1] as string,
      version: row[2] as string,
      passage: row[3] as number,
      vector: toVector(row[4]),
    }))
  }

  addresses(partitionId: number, after: Address | undefined, limit: number) {
    const { itemId = '', version = '', passage = -1 } = after ?? {}
    return this.#sql.addresses(partitionId, itemId, version, passage, limit).map(toAddress)
  }

  idAt(partitionId: number, { itemId, version, passage }: Address): number | undefined {
    return this.#sql.at(partitionId, itemId, version, passage)[0]?.[0] as number | undefined
  }

  slotsOf(partitionId: number, versions: readonly Omit<ItemVersion, 'namespaceId'>[]): Set<number> {
    const rows = versions.flatMap(({ itemId, version }) => this.#sql.ofVersion(partitionId, itemId, version))
    return new Set(rows.map(([id]) => slotOf(id as number)))
  }

  /** Returns addresses in any order. */
  addressesOf(ids: readonly number[]) {
    return this.#sql.addressesOf(JSON.stringify(ids)).map(toAddress)
  }

  /** Slots of points that have every token. */
  matching(partitionId: number, tokens: readonly string[]): Uint32Array {
    return this.#cachedSlots(`${partitionId} ${tokens.join(' ')}`, () => this.#findMatches(partitionId, tokens))
  }

  firstMatching(partitionId: number, token: string): number | undefined {
    const [row] = this.#sql.firstMatch(`"${partitionId}${token}"`)
    return row && slotOf(row[0] as number)
  }

  /** Slots of points that have a token of the range, in any order. */
  between(partitionId: number, [from, before]: TokenRange): Uint32Array {
    return this.#cachedSlots(`${partitionId} ${from} ${before}`, () =>
      parseSlots(this.#sql.pointsBetween(`${partitionId}${from}`, `${partitionId}${before}`)[0]),
    )
  }

  allSlots(partitionId: number): Uint32Array {
    return this.#cachedSlots(`${partitionId} all`, () =>
      parseSlots(this.#sql.slotsBetween(pointId(partitionId, 0), pointId(partitionId, lastSlot))[0]),
    )
  }

  /** Whether the postings are in memory. */
  hasPostings(partitionId: number, lexeme: number): boolean {
    return this.cache.get(`${partitionId}${lexemePrefix(lexeme)}`) !== undefined
  }

  postings(partitionId: number, lexeme: number): Postings {
    return this.#cached(
      `${partitionId}${lexemePrefix(lexeme)}`,
      () => this.#findPostings(partitionId, lexeme),
      ({ points: count, groups }) => count * Uint32Array.BYTES_PER_ELEMENT + groups.length * bytesPerGroup,
    )
  }

  /** Omits points without lexemes. */
  lexemes(ids: readonly number[]): Map<number, StoredLexemes> {
    return new Map(
      this.#sql
        .lexemes(JSON.stringify(ids))
        .map(([id, length, packed]) => [
          id as number,
          { length: length as number, ...unpackLexemes(packed as Uint8Array) },
        ]),
    )
  }

  /** Averages over points that have lexemes; 1 if there are none. Samples large partitions. */
  averageLength({ id, slots }: Partition): number {
    const isAll = slots <= sampledPoints
    const starts = isAll ? [0] : Array.from({ length: samples }, (_, index) => Math.floor((slots * index) / samples))
    const limit = isAll ? sampledPoints : sampledPoints / samples
    let [points, words] = [0, 0]
    for (const slot of starts) {
      const [row] = this.#sql.lengthsFrom(pointId(id, slot), pointId(id, lastSlot), limit)
      const [count, sum] = row as [number, number | null]
      points += count
      words += sum ?? 0
    }
    return points === 0 ? 1 : words / points
  }

  #cached<T>(key: string, find: () => T, bytesOf: (found: T) => number): T {
    const known = this.cache.get<T>(key)
    if (known) return known
    const foundAt = this.cache.version()
    const found = find()
    this.cache.set(key, found, bytesOf(found), foundAt)
    return found
  }

  #cachedSlots(key: string, find: () => Uint32Array): Uint32Array {
    return this.#cached(key, find, ({ byteLength }) => byteLength)
  }

  #findPostings(partitionId: number, lexeme: number): Postings {
    const prefix = `${partitionId}${lexemePrefix(lexeme)}`
    // The digits after the prefix are below `{`.
    const groups = this.#sql.postings(prefix, `${prefix}{`).map(([token, slots]) => ({
      ...countAndLengthOf(token as string),
      slots: Uint32Array.from(JSON.parse(slots as string) as number[]),
    }))
    return { points: groups.reduce((sum, { slots }) => sum + slots.length, 0), groups }
  }

  #findMatches(partitionId: number, tokens: readonly string[]): Uint32Array {
    let slots: Uint32Array | undefined
    for (const some of slices(tokens, tokensPerMatch)) {
      const expression = some.map((token) => `"${partitionId}${token}"`).join(' ')
      const found = parseSlots(this.#sql.matches(expression)[0])
      const earlier = slots && new Set(slots)
      slots = earlier ? found.filter((slot) => earlier.has(slot)) : found
    }
    return slots ?? new Uint32Array()
  }
}

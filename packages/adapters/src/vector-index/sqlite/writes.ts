import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { AppError } from '@cairn/contracts/errors'
import type { EmbeddingSpace } from '@cairn/domain/ports/vector-index'
import { lengthOf } from '../bm25.ts'
import { checkDimension } from '../check-input.ts'
import { packLexemes } from '../pack-lexemes.ts'
import { lexemeTokens } from './lexeme-tokens.ts'
import type { Change, PackedPoints, WriteRequest } from './messages.ts'
import { lastPartition, lastSlot, pointId, slotOf } from './schema.ts'

type Request<Kind extends WriteRequest['kind']> = Extract<WriteRequest, { kind: Kind }>

/** `list` replaces a point's tokens; without it, they are removed. */
export type TokenWrite = { readonly id: number; readonly list?: string }

/** Readers apply `changes` once the transaction is committed. */
export type Written = {
  readonly value?: number
  readonly changes?: readonly Change[]
  readonly tokens?: readonly TokenWrite[]
}

/**
 * Seconds for which the slot of a removed point is not reused: longer than any read takes, so a read never confuses the
 * old point of a slot with a new one.
 */
const reusedAfter = 60

type Row = Record<string, SQLOutputValue>
type Partition = { readonly id: number; readonly points: number; readonly slots: number }

const statements = (db: DatabaseSync) => ({
  space: db.prepare('SELECT id, dimension FROM spaces WHERE key = ?'),
  addSpace: db.prepare('INSERT INTO spaces (key, dimension) VALUES (?, ?) RETURNING id, dimension'),
  partition: db.prepare('SELECT id, points, slots FROM partitions WHERE space = ? AND namespace_id = ?'),
  addPartition: db.prepare('INSERT INTO partitions (space, namespace_id) VALUES (?, ?) RETURNING id, points, slots'),
  setPartition: db.prepare('UPDATE partitions SET points = ?, slots = ? WHERE id = ?'),
  dropPartition: db.prepare('DELETE FROM partitions WHERE id = ?'),
  freeSlots: db.prepare('SELECT slot FROM free_slots WHERE partition = ? AND freed <= ? ORDER BY freed, slot LIMIT ?'),
  freeSlot: db.prepare('INSERT INTO free_slots (partition, slot, freed) VALUES (?, ?, ?)'),
  takeSlot: db.prepare('DELETE FROM free_slots WHERE partition = ? AND slot = ?'),
  dropSlots: db.prepare('DELETE FROM free_slots WHERE partition = ?'),
  putPoint: db.prepare(
    `INSERT INTO points (id, partition, item_id, version, passage, vector) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (partition, item_id, version, passage) DO UPDATE SET vector = excluded.vector RETURNING id`,
  ),
  pointsOfVersion: db.prepare(
    'SELECT id FROM points WHERE partition = ? AND item_id = ? AND version = ? AND passage >= ?',
  ),
  pointsOfPartition: db.prepare('SELECT id FROM points WHERE id BETWEEN ? AND ? LIMIT ?'),
  dropPoint: db.prepare('DELETE FROM points WHERE id = ?'),
  putLexemes: db.prepare('INSERT INTO lexemes (id, length, packed) VALUES (?, ?, ?)'),
  putTokens: db.prepare('INSERT INTO tokens (rowid, list) VALUES (?, ?)'),
  dropTokens: db.prepare('DELETE FROM tokens WHERE rowid = ?'),
})

const secondsNow = (): number => Math.floor(Date.now() / 1_000)

const idsOf = (rows: Row[]): number[] => rows.map((row) => row['id'] as number)

/** The caller begins and ends transactions. `now`: seconds since 1970. */
export class PointWrites {
  readonly #sql: ReturnType<typeof statements>
  readonly #now: () => number

  constructor(db: DatabaseSync, now: () => number = secondsNow) {
    this.#sql = statements(db)
    this.#now = now
  }

  write(request: WriteRequest): Written {
    switch (request.kind) {
      case 'open':
        return {}
      case 'ensure':
        this.#ensureSpace(request.space)
        return {}
      case 'upsert':
        return this.#upsert(request)
      case 'removeVersion':
        return this.#removeVersion(request)
      case 'removeNamespace':
        return this.#removeNamespace(request)
      case 'count':
        return { value: this.#findPartition(request.space, request.namespaceId)?.points ?? 0 }
    }
  }

  /**
   * Last in a transaction, in the order of the requests. The full-text table flushes its pending entries at every
   * savepoint, and other statements start savepoints too: if interleaved, each point would become a separate segment.
   */
  writeTokens(writes: readonly TokenWrite[]): void {
    for (const { id, list } of writes) {
      if (list === undefined) this.#sql.dropTokens.run(id)
      else this.#sql.putTokens.run(id, list)
    }
  }

  #findSpace(space: EmbeddingSpace): number | undefined {
    const row = this.#sql.space.get(space.key)
    if (row) checkDimension(space, row['dimension'])
    return row?.['id'] as number | undefined
  }

  #ensureSpace(space: EmbeddingSpace): number {
    return this.#findSpace(space) ?? (this.#sql.addSpace.get(space.key, space.dimension)?.['id'] as number)
  }

  #findPartition(space: EmbeddingSpace, namespaceId: string): Partition | undefined {
    const id = this.#findSpace(space)
    return id === undefined ? undefined : (this.#sql.partition.get(id, namespaceId) as Partition | undefined)
  }

  #ensurePartition(space: number, namespaceId: string): Partition {
    const row = this.#sql.partition.get(space, namespaceId) ?? this.#sql.addPartition.get(space, namespaceId)
    const partition = row as Partition
    if (partition.id > lastPartition) throw new AppError('unavailable', 'The vector index can hold no more namespaces')
    return partition
  }

  #putPoints(
    space: number,
    namespaceId: string,
    points: PackedPoints,
    positions: readonly number[],
    dimension: number,
    tokens: TokenWrite[],
  ): Change {
    const partition = this.#ensurePartition(space, namespaceId)
    const isSparse = partition.points < partition.slots
    const free = isSparse
      ? this.#sql.freeSlots
          .all(partition.id, this.#now() - reusedAfter, positions.length)
          .map((row) => row['slot'] as number)
      : []
    if (partition.slots + positions.length > lastSlot)
      throw new AppError('unavailable', `Namespace ${namespaceId} can hold no more points`)
    const slots: number[] = []
    let used = 0
    let added = 0
    for (const position of positions) {
      const slot = used < free.length ? free[used]! : partition.slots + used - free.length
      const vector = points.vectors.subarray(position * dimension, (position + 1) * dimension)
      const proposed = pointId(partition.id, slot)
      const id = this.#sql.putPoint.get(
        proposed,
        partition.id,
        points.itemIds[position] as string,
        points.versions[position] as string,
        points.passages[position] as number,
        vector,
      )?.['id'] as number
      if (id !== proposed) tokens.push({ id })
      else {
        if (used < free.length) this.#sql.takeSlot.run(partition.id, slot)
        used++
        added++
      }
      const lexemes = points.lexemes?.[position]
      if (lexemes) this.#sql.putLexemes.run(id, lengthOf(lexemes.counts), packLexemes(lexemes))
      // Tokens never begin with a digit, so the partition number stays separate.
      const list = [...(points.tokens[position] as string).split(' '), ...(lexemes ? lexemeTokens(lexemes) : [])]
        .filter((token) => token !== '')
        .map((token) => `${partition.id}${token}`)
      if (list.length > 0) tokens.push({ id, list: list.join(' ') })
      slots.push(slotOf(id))
    }
    this.#sql.setPartition.run(
      partition.points + added,
      partition.slots + Math.max(0, used - free.length),
      partition.id,
    )
    return { partition: partition.id, slots }
  }

  #upsert({ space, points }: Request<'upsert'>): Written {
    const id = this.#ensureSpace(space)
    const positions = Map.groupBy(points.namespaceIds.keys(), (position) => points.namespaceIds[position] as string)
    const tokens: TokenWrite[] = []
    const changes = [...positions].map(([namespaceId, of]) =>
      this.#putPoints(id, namespaceId, points, of, space.dimension, tokens),
    )
    return { changes, tokens }
  }

  #removePoints(partition: Partition, ids: readonly number[], keepsSlots: boolean): Written {
    for (const id of ids) {
      this.#sql.dropPoint.run(id)
      if (keepsSlots) this.#sql.freeSlot.run(partition.id, slotOf(id), this.#now())
    }
    if (ids.length === 0) return { value: 0 }
    const tokens = ids.map((id) => ({ id }))
    if (partition.points > ids.length) {
      this.#sql.setPartition.run(partition.points - ids.length, partition.slots, partition.id)
      return { value: ids.length, changes: [{ partition: partition.id, slots: ids.map(slotOf) }], tokens }
    }
    this.#sql.dropSlots.run(partition.id)
    this.#sql.dropPartition.run(partition.id)
    return { value: ids.length, changes: [{ partition: partition.id }], tokens }
  }

  #removeVersion(target: Request<'removeVersion'>): Written {
    const partition = this.#findPartition(target.space, target.namespaceId)
    if (!partition) return { value: 0 }
    const ids = idsOf(this.#sql.pointsOfVersion.all(partition.id, target.itemId, target.version, target.fromPassage))
    return this.#removePoints(partition, ids, true)
  }

  #removeNamespace({ space, namespaceId, limit }: Request<'removeNamespace'>): Written {
    const partition = this.#findPartition(space, namespaceId)
    if (!partition) return { value: 0 }
    // The namespace is being deleted and gets no new points, so its slots need not be recorded as free.
    const ids = idsOf(this.#sql.pointsOfPartition.all(pointId(partition.id, 0), pointId(partition.id, lastSlot), limit))
    return this.#removePoints(partition, ids, false)
  }
}

import { seededRandom } from '@cairn/testing/seeded-random'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Change, Judgement } from '../sqlite/messages.ts'
import { createPointReads } from '../sqlite/reads.ts'
import { openForReading, openForWriting } from '../sqlite/schema.ts'
import { createPointWrites } from '../sqlite/writes.ts'
import { writeUnit } from '../vector-math.ts'
import type { Resident } from './resident.ts'
import { createResidents } from './residents.ts'

const random = seededRandom(5)
const dimension = 128
const space = { key: 'test', dimension }

const scattered = () => Float32Array.from({ length: dimension }, () => random.next() - 0.5)
/** On a circle: codes can't tell them apart. */
const onCircle = () => {
  const vector = new Float32Array(dimension)
  const angle = random.next() * 6.28
  vector[0] = Math.cos(angle)
  vector[1] = Math.sin(angle)
  return vector
}

const setUp = () => {
  const file = temporaryFile('vectors.db')
  const writing = openForWriting(file)
  const { write } = createPointWrites(writing)
  const reading = openForReading(file)
  const reads = createPointReads(reading)
  onTestFinished(() => {
    reading.close()
    writing.close()
  })
  const judgements: Judgement[] = []
  const onJudgement = (judgement: Judgement) => {
    judgements.push(judgement)
    write({ kind: 'judge', judgement })
  }
  const open = (memoryBytes = 100_000_000) => createResidents({ reads, memoryBytes, sliceMs: 0, onJudgement })
  const put = (namespaceId: string, from: number, count: number, make = scattered): readonly Change[] => {
    const vectors = new Float32Array(count * dimension)
    for (let i = 0; i < count; i++) writeUnit(make(), vectors.subarray(i * dimension, (i + 1) * dimension))
    const same = <T>(value: T) => Array.from({ length: count }, () => value)
    const itemIds = Array.from({ length: count }, (_, i) => `${from + i}`)
    const points = {
      namespaceIds: same(namespaceId),
      itemIds,
      versions: same('v'),
      passages: same(0),
      tokens: same(''),
      vectors,
    }
    writing.exec('BEGIN')
    const { changes = [] } = write({ kind: 'upsert', space, points })
    writing.exec('COMMIT')
    return changes
  }
  const remove = (namespaceId: string, limit: number) =>
    write({ kind: 'removeNamespace', space, namespaceId, limit }).changes ?? []
  const find = (namespaceId: string) => reads.partitions(space, [namespaceId])[0]!
  return { open, put, remove, find, judgements }
}

const filledSlots = (resident: Resident): number => {
  if (resident.kind === 'codes') return resident.codes.scale.filter((scale) => scale >= 0).length
  return resident.kind === 'vectors' ? resident.vectors.occupied.filter((is) => is === 1).length : 0
}

describe('residents', () => {
  it('keep codes of vectors that codes can tell apart, and remember that they can', async () => {
    const { open, put, find, judgements } = setUp()
    put('ns', 0, 1_500)
    const resident = await open().acquire(find('ns'), dimension)
    expect(resident.kind).toBe('codes')
    expect(filledSlots(resident)).toBe(1_500)
    expect(judgements).toEqual([{ partition: find('ns').id, mode: 'signs', points: 1_500 }])
    expect((await open().acquire(find('ns'), dimension)).kind).toBe('codes')
    expect(judgements).toHaveLength(1)
    put('ns', 1_500, 1_600)
    await open().acquire(find('ns'), dimension)
    expect(judgements).toHaveLength(2)
  })

  it('keep the vectors themselves where codes fail, or nothing where those are too many', async () => {
    const { open, put, find, judgements } = setUp()
    put('ns', 0, 6_000, onCircle)
    const resident = await open().acquire(find('ns'), dimension)
    expect(judgements.map(({ mode }) => mode)).toEqual(['exact'])
    expect(resident.kind).toBe('vectors')
    expect(filledSlots(resident)).toBe(6_000)
    expect(await open(3_000_000).acquire(find('ns'), dimension)).toEqual({ kind: 'file' })
  })

  it('take in what is written, also while they are made', async () => {
    const { open, put, remove, find } = setUp()
    put('ns', 0, 1_500)
    const residents = open()
    const making = residents.acquire(find('ns'), dimension)
    for (const change of put('ns', 1_500, 20)) residents.apply(change)
    for (const change of remove('ns', 5)) residents.apply(change)
    const resident = await making
    expect(filledSlots(resident)).toBe(1_515)
    for (const change of put('ns', 2_000, 30)) residents.apply(change)
    for (const change of remove('ns', 100)) residents.apply(change)
    expect(await residents.acquire(find('ns'), dimension)).toBe(resident)
    expect(filledSlots(resident)).toBe(1_445)
  })

  it('are made anew beside the old ones as a namespace grows, and awaited where the old are unfit', async () => {
    const { open, put, find } = setUp()
    put('ns', 0, 1_200)
    const residents = open()
    const first = await residents.acquire(find('ns'), dimension)
    for (const change of put('ns', 1_200, 500)) residents.apply(change)
    expect(await residents.acquire(find('ns'), dimension)).toBe(first)
    for (const change of put('ns', 1_700, 200)) residents.apply(change)
    expect(await residents.acquire(find('ns'), dimension)).toBe(first)
    await expect.poll(() => residents.acquire(find('ns'), dimension)).not.toBe(first)
    const second = await residents.acquire(find('ns'), dimension)
    for (const change of put('ns', 2_000, 6_000)) residents.apply(change)
    const third = await residents.acquire(find('ns'), dimension)
    expect(third).not.toBe(second)
    expect(filledSlots(third)).toBe(7_900)
  })

  it('go when their namespace goes, when changes may have been missed, and when others need the room', async () => {
    const { open, put, remove, find } = setUp()
    for (const namespaceId of ['a', 'b', 'c']) put(namespaceId, 0, 1_000)
    const residents = open(60_000)
    const a = await residents.acquire(find('a'), dimension)
    const b = await residents.acquire(find('b'), dimension)
    expect(await residents.acquire(find('a'), dimension)).toBe(a)
    // 24 kB each: there is room for two, and b was used less recently.
    await residents.acquire(find('c'), dimension)
    expect(await residents.acquire(find('a'), dimension)).toBe(a)
    expect(await residents.acquire(find('b'), dimension)).not.toBe(b)
    residents.forget()
    expect(await residents.acquire(find('a'), dimension)).not.toBe(a)
    for (const change of remove('a', 1_000)) residents.apply(change)
    put('a', 0, 1_100)
    expect(filledSlots(await residents.acquire(find('a'), dimension))).toBe(1_100)
  })
})

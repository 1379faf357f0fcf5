import { seededRandom } from '@cairn/testing/seeded-random'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeUnit } from '../vector-math.ts'
import type { CachedVectors } from './cached-vectors.ts'
import type { Change } from './messages.ts'
import { PointReads } from './reads.ts'
import { openForReading, openForWriting } from './schema.ts'
import { createSliceTurns } from './time-slices.ts'
import { createVectorCache } from './vector-cache.ts'
import { PointWrites } from './writes.ts'

const random = seededRandom(5)
const turns = createSliceTurns(0)
const dimension = 128

const setUp = (length = dimension) => {
  const space = { key: 'test', dimension: length }
  const scattered = () => Float32Array.from({ length }, () => random.next() - 0.5)
  const file = temporaryFile('vectors.db')
  const writing = openForWriting(file)
  const writes = new PointWrites(writing)
  const reading = openForReading(file)
  const reads = new PointReads(reading)
  onTestFinished(() => {
    reading.close()
    writing.close()
  })
  const open = (memoryBytes = 100_000_000) =>
    createVectorCache({ reads, memoryBytes, newSlices: () => turns('account') })
  const put = (namespaceId: string, from: number, count: number): readonly Change[] => {
    const vectors = new Float32Array(count * length)
    for (let i = 0; i < count; i++) writeUnit(scattered(), vectors.subarray(i * length, (i + 1) * length))
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
    const { changes = [] } = writes.write({ kind: 'upsert', space, points })
    writing.exec('COMMIT')
    return changes
  }
  const remove = (namespaceId: string, limit: number) =>
    writes.write({ kind: 'removeNamespace', space, namespaceId, limit }).changes ?? []
  const find = (namespaceId: string) => reads.partitions(space, [namespaceId])[0]!
  return { open, put, remove, find }
}

const filledSlots = (cached: CachedVectors): number => {
  if (cached.kind === 'codes') return cached.codes.oneBit.scale.filter((scale) => scale >= 0).length
  return cached.kind === 'vectors' ? cached.vectors.occupied.filter((is) => is === 1).length : 0
}

describe('vectorCache', () => {
  it('keeps codes of both kinds, or only 1-bit codes if 4-bit codes exceed the memory', async () => {
    const { open, put, find } = setUp()
    put('ns', 0, 1_500)
    for (const [memoryBytes, hasFourBit] of [
      [138_000, true],
      [137_999, false],
    ] as const) {
      const cached = await open(memoryBytes).acquire(find('ns'), dimension)
      expect(filledSlots(cached)).toBe(1_500)
      expect(cached.kind === 'codes' && cached.codes.fourBit !== undefined).toBe(hasFourBit)
    }
  })

  it('keeps vectors of few dimensions as they are, or nothing if they exceed the memory', async () => {
    const { open, put, find } = setUp(64)
    put('ns', 0, 6_000)
    const cached = await open().acquire(find('ns'), 64)
    expect(cached.kind).toBe('vectors')
    expect(filledSlots(cached)).toBe(6_000)
    expect(await open(6_000 * 257 - 1).acquire(find('ns'), 64)).toEqual({ kind: 'file' })
  })

  it('includes writes, also while it is being built', async () => {
    const { open, put, remove, find } = setUp()
    put('ns', 0, 1_500)
    const vectorCache = open()
    const making = vectorCache.acquire(find('ns'), dimension)
    for (const change of put('ns', 1_500, 20)) vectorCache.apply(change)
    for (const change of remove('ns', 5)) vectorCache.apply(change)
    const cached = await making
    expect(filledSlots(cached)).toBe(1_515)
    for (const change of put('ns', 2_000, 30)) vectorCache.apply(change)
    for (const change of remove('ns', 100)) vectorCache.apply(change)
    expect(await vectorCache.acquire(find('ns'), dimension)).toBe(cached)
    expect(filledSlots(cached)).toBe(1_445)
  })

  it('is rebuilt in the background as a namespace grows; searches wait if the old codes are too imprecise', async () => {
    const { open, put, find } = setUp()
    put('ns', 0, 1_200)
    const vectorCache = open()
    const first = await vectorCache.acquire(find('ns'), dimension)
    for (const change of put('ns', 1_200, 500)) vectorCache.apply(change)
    expect(await vectorCache.acquire(find('ns'), dimension)).toBe(first)
    for (const change of put('ns', 1_700, 200)) vectorCache.apply(change)
    expect(await vectorCache.acquire(find('ns'), dimension)).toBe(first)
    await expect.poll(() => vectorCache.acquire(find('ns'), dimension)).not.toBe(first)
    const second = await vectorCache.acquire(find('ns'), dimension)
    for (const change of put('ns', 2_000, 6_000)) vectorCache.apply(change)
    const third = await vectorCache.acquire(find('ns'), dimension)
    expect(third).not.toBe(second)
    expect(filledSlots(third)).toBe(7_900)
  })

  it('drops vectors of a removed namespace, after missed changes, and when others need the memory', async () => {
    const { open, put, remove, find } = setUp()
    for (const namespaceId of ['a', 'b', 'c']) put(namespaceId, 0, 1_000)
    const vectorCache = open(60_000)
    const a = await vectorCache.acquire(find('a'), dimension)
    const b = await vectorCache.acquire(find('b'), dimension)
    expect(await vectorCache.acquire(find('a'), dimension)).toBe(a)
    // Each takes 24 kB, so two fit, and b was used less recently.
    await vectorCache.acquire(find('c'), dimension)
    expect(await vectorCache.acquire(find('a'), dimension)).toBe(a)
    expect(await vectorCache.acquire(find('b'), dimension)).not.toBe(b)
    vectorCache.forget()
    expect(await vectorCache.acquire(find('a'), dimension)).not.toBe(a)
    for (const change of remove('a', 1_000)) vectorCache.apply(change)
    put('a', 0, 1_100)
    expect(filledSlots(await vectorCache.acquire(find('a'), dimension))).toBe(1_100)
  })
})

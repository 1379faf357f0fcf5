import { type Filter, fieldFilterOf, fieldsOf, matchesFilter } from '@cairn/contracts/documents/metadata-filter'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it, onTestFinished } from 'vitest'
import { fieldTokens } from './field-tokens.ts'
import { PointReads } from './reads.ts'
import { openForReading, openForWriting } from './schema.ts'
import { SlotSelection } from './select-slots.ts'
import { createSliceTurns } from './time-slices.ts'
import { PointWrites } from './writes.ts'

const space = { key: 'test', dimension: 2 }

const setUp = (all: readonly Record<string, unknown>[]) => {
  const file = temporaryFile('vectors.db')
  const writing = openForWriting(file)
  const writes = new PointWrites(writing)
  writing.exec('BEGIN')
  const each = <T>(value: T) => all.map(() => value)
  const tokens = all.map((metadata) => fieldTokens(fieldsOf(metadata as never)).join(' '))
  const points = {
    namespaceIds: each('ns'),
    itemIds: all.map((_, index) => `${index}`),
    versions: each('v'),
    passages: each(0),
  }
  const vectors = Float32Array.from({ length: all.length * 2 }, () => 1)
  writes.writeTokens(writes.write({ kind: 'upsert', space, points: { ...points, tokens, vectors } }).tokens ?? [])
  writing.exec('COMMIT')
  const reading = openForReading(file)
  const reads = new PointReads(reading)
  onTestFinished(() => {
    reading.close()
    writing.close()
  })
  const partition = reads.partitions(space, ['ns'])[0]!
  const select = async (filter: Filter, signal?: AbortSignal, sliceMs = 0) => {
    const slices = createSliceTurns(sliceMs)('account', signal ? { signal } : {})
    const test = { tokens: [], fields: fieldFilterOf(filter) }
    return [...((await new SlotSelection(reads, test, slices).of(partition)) ?? [])]
  }
  return { select, reads }
}

it('selects the points that pass a filter, with nested conditions', async () => {
  const all = Array.from({ length: 300 }, (_, index) => ({
    number: index,
    even: index % 2 === 0,
    tags: [`t${index % 7}`, `t${index % 3}`],
  }))
  const { select } = setUp(all)
  const filters: Filter[] = [
    { key: 'number', in: [3, 5, 400] },
    { key: 'tags', all: ['t0', 't1'] },
    { not: { key: 'even', eq: true } },
    {
      and: [
        { key: 'even', eq: true },
        {
          not: {
            or: [
              { key: 'number', lt: 10 },
              { key: 'tags', any: ['t2'] },
            ],
          },
        },
      ],
    },
    {
      or: [
        { key: 'number', gt: 290 },
        { key: 'absent', exists: true },
      ],
    },
    {
      and: [
        { key: 'absent', exists: true },
        { key: 'even', eq: true },
      ],
    },
    { not: { key: 'absent', exists: true } },
  ]
  for (const filter of filters) {
    const expected = all.flatMap((metadata, slot) => (matchesFilter(filter, metadata) ? [slot] : []))
    expect(await select(filter)).toEqual(expected)
  }
})

it('pauses between conditions, so that an aborted filter ends early', async () => {
  const { select } = setUp(Array.from({ length: 100 }, (_, index) => ({ number: index })))
  const left = new AbortController()
  const selected = select({ key: 'number', nin: Array.from({ length: 200 }, (_, index) => index) }, left.signal)
  setImmediate(() => left.abort(new Error('nobody waits')))
  await expect(selected).rejects.toThrow('nobody waits')
})

it('rejects a filter whose conditions match too many points together, before they fill memory', async () => {
  const tags = Array.from({ length: 150 }, (_, index) => `t${index}`)
  const { select, reads } = setUp(Array.from({ length: 2_000 }, () => ({ tags })))
  const lists = (count: number): Filter => ({ and: Array.from({ length: count }, () => ({ key: 'tags', in: tags })) })
  // Each list has 300,000 matches: 66 lists are below the limit of 20,008,000 matches, 67 above.
  expect(await select(lists(66), undefined, 50)).toHaveLength(2_000)
  await expect(select(lists(67), undefined, 50)).rejects.toMatchObject({ code: 'tooBroad' })
  expect(reads.cache.bytes()).toBeLessThanOrEqual(16_000_000)
})

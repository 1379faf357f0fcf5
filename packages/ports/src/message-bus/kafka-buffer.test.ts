import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import type { StoredMessage } from './delivery.ts'
import { createKafkaBuffer, type FetchedBatch, type Progress, unhandledOf } from './kafka-buffer.ts'

const record = (offset: number, key = `key-${offset % 5}`) => ({
  offset: String(offset),
  key: Buffer.from(key),
  value: Buffer.from(`body-${offset}`),
  timestamp: String(1_000 + offset),
})

const batchOf = (from: number, to: number, end = to): FetchedBatch => ({
  partition: 0,
  fetchedOffset: String(from),
  highWatermark: String(end),
  messages: Array.from({ length: to - from }, (_, n) => record(from + n)),
})

const untouched = (end: number): Progress => ({ partition: 0, begin: 0, end, committed: -1, metadata: null })

const openBuffer = (progress: Progress, perPartition = 1_000) => {
  const buffer = createKafkaBuffer('t', perPartition)
  buffer.assign([0])
  buffer.learn(progress)
  return buffer
}

/** All that was not asked for before, by offset. */
const arrived = ({ source }: ReturnType<typeof createKafkaBuffer>): (StoredMessage & { readonly offset: number })[] => {
  const all: StoredMessage[] = []
  for (let page = source.page(0); page.length > 0; page = source.page(page.at(-1)?.seq ?? 0)) all.push(...page)
  return all.map((message) => ({ ...message, offset: Number(message.place?.split('/')[2]) }))
}
const offsets = (buffer: ReturnType<typeof createKafkaBuffer>) => arrived(buffer).map(({ offset }) => offset)

describe('buffer of a member', () => {
  it('takes no more of a partition than it may hold, and the rest when there is room', () => {
    const buffer = openBuffer(untouched(10), 4)
    expect(buffer.take(batchOf(0, 10))).toEqual({ done: '3' })
    expect(buffer.take(batchOf(4, 10))).toEqual({})
    const [first] = arrived(buffer)
    buffer.source.handled(first?.seq ?? 0)
    expect(buffer.take(batchOf(4, 10))).toEqual({ done: '4' })
    expect(buffer.size(0)).toBe(4)
  })

  it('skips what it has seen, and gaps where messages are no more', () => {
    const buffer = openBuffer(untouched(20))
    buffer.take(batchOf(0, 5, 20))
    expect(buffer.take(batchOf(2, 7, 20))).toEqual({ done: '6' })
    const sparse = { ...batchOf(7, 7, 20), messages: [record(9), record(12)] }
    expect(buffer.take(sparse)).toEqual({ done: '12' })
    const all = arrived(buffer)
    expect(all.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4, 5, 6, 9, 12])
    for (const { seq } of all) buffer.source.handled(seq)
    expect(buffer.commits()).toEqual([{ partition: 0, offset: '13', metadata: '' }])
  })

  it('says when messages in between have not been fetched, and takes nothing then', () => {
    const buffer = openBuffer(untouched(20))
    buffer.take(batchOf(0, 5, 20))
    expect(buffer.take(batchOf(7, 9, 20))).toEqual({ ahead: 5 })
    expect(buffer.size(0)).toBe(5)
    // They are too old and gone.
    buffer.learn({ ...untouched(20), begin: 7 })
    expect(buffer.take(batchOf(7, 9, 20))).toEqual({ done: '8' })
    expect(offsets(buffer)).toEqual([0, 1, 2, 3, 4, 7, 8])
  })

  it('starts over in a topic that was made anew', () => {
    const buffer = openBuffer(untouched(100))
    buffer.take(batchOf(0, 100))
    const old = arrived(buffer)
    expect(buffer.take(batchOf(0, 3))).toEqual({ done: '2' })
    expect(buffer.size(0)).toBe(3)
    expect(old.some((message) => buffer.holds(message))).toBe(false)
  })

  it('takes nothing before the progress of the group is known, nor of partitions of others', () => {
    const buffer = createKafkaBuffer('t', 10)
    buffer.assign([0])
    expect(buffer.take(batchOf(0, 3))).toEqual({})
    expect(buffer.commits()).toEqual([])
    buffer.learn(untouched(3))
    buffer.take(batchOf(0, 3))
    buffer.assign([1])
    expect(buffer.take(batchOf(0, 3))).toEqual({})
    expect(offsets(buffer)).toEqual([])
    expect(buffer.size(0)).toBe(0)
  })

  it('keeps what it holds of a partition that stays, less what others have handled meanwhile', () => {
    const buffer = openBuffer(untouched(10))
    buffer.take(batchOf(0, 6, 10))
    buffer.assign([0, 1])
    buffer.learn({ partition: 0, begin: 0, end: 10, committed: 2, metadata: 'c1 1.1,4.1' })
    expect(offsets(buffer)).toEqual([2, 4, 5])
    expect(buffer.take(batchOf(2, 10))).toEqual({ done: '9' })
    expect(offsets(buffer)).toEqual([6, 7, 9])
    expect(buffer.size(0)).toBe(6)
  })

  it('gives the messages of a key in order, up to the last that was asked for', () => {
    const buffer = openBuffer(untouched(12))
    buffer.take(batchOf(0, 12))
    const ofKey = arrived(buffer).filter(({ key }) => key === 'key-1')
    const [first, second, third] = ofKey.map(({ seq }) => seq)
    expect(ofKey.map(({ body }) => body)).toEqual(['body-1', 'body-6', 'body-11'])
    expect(buffer.source.nextOfKey('key-1', first ?? 0, third ?? 0)?.seq).toBe(second)
    expect(buffer.source.nextOfKey('key-1', second ?? 0, second ?? 0)).toBeUndefined()
  })

  it('survives any mixture of handling, committing and dying: nothing is lost, and nothing comes again that was committed', () => {
    const end = 300
    for (let seed = 1; seed <= 15; seed++) {
      const random = seededRandom(seed)
      const handledOnce = new Set<number>()
      let committed = new Set<number>()
      let progress = untouched(end)
      for (let life = 0; handledOnce.size < end; life++) {
        expect(life).toBeLessThan(500)
        const buffer = openBuffer(progress, 40)
        const handled = new Set(committed)
        let next = Math.max(0, progress.committed)
        for (let step = random.below(30); step > 0; step--) {
          const { done } = buffer.take(batchOf(next, Math.min(end, next + 1 + random.below(30)), end))
          if (done !== undefined) next = Number(done) + 1
          for (const { seq, offset } of arrived(buffer)) {
            expect(handled.has(offset)).toBe(false)
            if (!random.chance(0.6)) continue
            buffer.source.handled(seq)
            handled.add(offset)
            handledOnce.add(offset)
          }
          expect(buffer.states().get(0)?.unhandled(0, end)).toBe(end - handled.size)
          if (random.chance(0.5)) continue
          const commits = buffer.commits()
          for (const { offset, metadata } of commits) progress = { ...progress, committed: Number(offset), metadata }
          buffer.committed(commits)
          committed = new Set(handled)
          expect(buffer.commits()).toEqual([])
          expect(unhandledOf(progress).messages).toBe(end - committed.size)
        }
      }
    }
  })
})

import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { bestPositions, scoreAt } from './best-scores.ts'
import { createTopScores } from './top-scores.ts'

const random = seededRandom(11)
/** Returns scores, many of which are equal. */
const someScores = (length: number) => Float32Array.from({ length }, () => random.below(50) / 50)
const sorted = (scores: Float32Array) => [...scores].sort((a, b) => b - a)

describe('bestPositions', () => {
  it.each([1, 2, 10, 100, 1_000])(
    'gives the best of %i scores, best first, with all that tie with the last',
    (length) => {
      for (let round = 0; round < 20; round++) {
        const scores = someScores(length)
        const count = 1 + random.below(length)
        const order = sorted(scores)
        const positions = bestPositions(scores, count)
        const last = order[count - 1]!
        expect(Array.from(positions, (position) => scores[position])).toEqual(order.filter((score) => score >= last))
        expect(new Set(positions).size).toBe(positions.length)
        expect(scoreAt(scores, count)).toBe(last)
      }
    },
  )

  it('returns all if there are fewer', () => {
    expect(bestPositions(Float32Array.of(0.25, 0.5), 3)).toEqual(Uint32Array.of(1, 0))
    expect(bestPositions(new Float32Array(), 3)).toHaveLength(0)
    expect(scoreAt(Float32Array.of(1), 2)).toBe(Number.NEGATIVE_INFINITY)
  })

  it('leaves the scores as they are', () => {
    const scores = Float32Array.of(1, 3, 2)
    bestPositions(scores, 1)
    expect(scores).toEqual(Float32Array.of(1, 3, 2))
  })
})

describe('createTopScores', () => {
  it.each([1, 10, 300])('keeps the best %i of any number, and ties with the last', (keep) => {
    const scores = someScores(5_000)
    const top = createTopScores(keep)
    scores.forEach((score, id) => {
      top.add(id, score)
    })
    const order = sorted(scores)
    const ranked = top.ranked()
    expect(ranked.map(({ score }) => score)).toEqual(order.filter((score) => score >= order[keep - 1]!))
    for (const { id, score } of ranked) expect(scores[id]).toBe(score)
    expect(top.scoreAt(keep)).toBe(order[keep - 1])
  })

  it('keeps every one of very many equal scores', () => {
    const top = createTopScores(10)
    for (let id = 0; id < 10_000; id++) top.add(id, 0.5)
    top.add(10_000, 0.75)
    expect(top.ranked()).toHaveLength(10_001)
    expect(top.ranked()[0]).toEqual({ id: 10_000, score: 0.75 })
  })

  it('keeps no more ties than it may, those that were added first', () => {
    const top = createTopScores(10, 5)
    for (let id = 0; id < 100_000; id++) top.add(id, id === 50_000 ? 1 : 0.5)
    expect(top.ranked().map(({ id }) => id)).toEqual([50_000, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
  })

  it('returns the lowest of the best `count` scores, or -Infinity if there are fewer', () => {
    const top = createTopScores(5)
    top.add(1, 0.5)
    expect(top.scoreAt(1)).toBe(0.5)
    expect(top.scoreAt(2)).toBe(Number.NEGATIVE_INFINITY)
    expect(createTopScores(5).ranked()).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { compare, judge, median, percentile, spread } from './judge.ts'

const rounds = (sides: Record<string, number[]>) =>
  new Map(Object.entries(sides).map(([side, values]) => [side, values.map((rate) => ({ rate }))]))
const half = { what: 'half as fast', figure: 'rate', sides: ['ours', 'theirs'], atLeast: 0.5 } as const
const quick = { what: 'quick', figure: 'rate', sides: ['ours'], atMost: 100 } as const

describe('figures', () => {
  it('have the middle value as their median', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([1, 9, 5, 3])).toBe(4)
  })

  it('have a percentile that is one of them', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
    expect([percentile(hundred, 0.5), percentile(hundred, 0.95), percentile([7], 0.95)]).toEqual([50, 95, 7])
  })

  it('spread from the lowest to the highest', () => {
    expect(spread([90, 100, 110])).toBeCloseTo(0.2)
    expect(spread([0, 0, 0])).toBe(0)
  })
})

describe('a verdict', () => {
  it('compares the medians of two sides', () => {
    const theirs = [100, 101, 99, 100, 102]
    expect(judge(half, rounds({ ours: [50, 60, 55, 52, 54], theirs }))).toEqual({ value: 0.54, verdict: 'passed' })
    expect(judge(half, rounds({ ours: [40, 41, 42, 43, 44], theirs }))).toEqual({ value: 0.42, verdict: 'missed' })
  })

  it('is refused when the rounds of either side spread too far', () => {
    const wide = [70, 100, 100, 100, 101]
    const calm = [100, 100, 100, 100, 100]
    expect(judge(half, rounds({ ours: wide, theirs: calm }))).toMatchObject({
      verdict: 'not decided',
      reason: expect.stringContaining('ours'),
    })
    expect(judge(half, rounds({ ours: calm, theirs: wide }))).toMatchObject({
      verdict: 'not decided',
      reason: expect.stringContaining('theirs'),
    })
  })

  it('is refused on fewer than five rounds', () => {
    expect(judge(quick, rounds({ ours: [1, 1, 1, 1] }))).toMatchObject({
      verdict: 'not decided',
      reason: expect.stringContaining('rounds'),
    })
  })

  it('stands for one side when rounds that spread far all say the same', () => {
    expect(judge(quick, rounds({ ours: [10, 20, 30, 40, 50] }))).toEqual({ value: 30, verdict: 'passed' })
    expect(judge(quick, rounds({ ours: [60, 80, 90, 95, 101] }))).toMatchObject({ verdict: 'not decided' })
  })
})

describe('a comparison without a mark', () => {
  const sides = ['ours', 'theirs'] as const
  const calm = { ours: [50, 51, 52, 53, 54], theirs: [40, 40, 40, 40, 41] }

  it('is the ratio or the difference of the medians', () => {
    expect(compare({ what: '', figure: 'rate', sides, as: 'ratio' }, rounds(calm))).toEqual({ value: 1.3 })
    expect(compare({ what: '', figure: 'rate', sides, as: 'difference' }, rounds(calm))).toEqual({ value: 12 })
  })

  it('says why it is in doubt', () => {
    const wide = rounds({ ...calm, theirs: [40, 40, 40, 40, 80] })
    expect(compare({ what: '', figure: 'rate', sides, as: 'ratio' }, wide).reason).toContain('theirs')
    const few = rounds({ ours: [1], theirs: [1] })
    expect(compare({ what: '', figure: 'rate', sides, as: 'ratio' }, few).reason).toContain('rounds')
  })
})

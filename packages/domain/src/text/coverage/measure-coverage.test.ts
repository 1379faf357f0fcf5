import { AppError } from '@cairn/contracts/errors'
import { readableShare } from '@cairn/contracts/text/scripts'
import { describe, expect, it } from 'vitest'
import { measureCoverage, measureLanguage } from './measure-coverage.ts'
import { probeLanguages } from './probe-sentences.ts'

const pairs = probeLanguages[0]?.pairs ?? []
/** Returns an embedder that knows the subjects of the pairs for which `reads` holds, and else ranks a wrong one first. */
const embedderOf = (reads: (subject: number) => boolean, refuses = false) => ({
  embed: async (texts: readonly string[]) => {
    if (refuses) throw new AppError('invalid', 'refused')
    return texts.map((text) => {
      const subject = pairs.findIndex((pair) => pair.includes(text))
      const isQuestion = pairs[subject]?.[0] === text
      const axis = isQuestion && !reads(subject) ? (subject + 1) % pairs.length : subject
      return Float32Array.from(pairs, (_, at) => (at === axis ? 1 : 0))
    })
  },
})

describe('a language', () => {
  it('is read by a model that ranks the right statement first, but for one mistake', async () => {
    expect(
      await measureLanguage(
        embedderOf(() => true),
        { pairs },
      ),
    ).toBe(1)
    expect(
      await measureLanguage(
        embedderOf((subject) => subject > 0),
        { pairs },
      ),
    ).toBe(1)
  })

  it('is read in part by a model that is right half of the time', async () => {
    const value = await measureLanguage(
      embedderOf((subject) => subject % 2 === 0),
      { pairs },
    )
    expect(value).toBeGreaterThan(0)
    expect(value).toBeLessThan(0.5)
  })

  it('is not read by a model that is always wrong, that finds all texts alike, or that refuses them', async () => {
    expect(
      await measureLanguage(
        embedderOf(() => false),
        { pairs },
      ),
    ).toBe(0)
    const alike = { embed: async (texts: readonly string[]) => texts.map(() => Float32Array.of(1, 0)) }
    expect(await measureLanguage(alike, { pairs })).toBe(0)
    expect(
      await measureLanguage(
        embedderOf(() => true, true),
        { pairs },
      ),
    ).toBe(0)
  })

  it('is not decided while the model is away', async () => {
    const away = { embed: () => Promise.reject(new AppError('unavailable', 'away')) }
    await expect(measureLanguage(away, { pairs })).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('language coverage', () => {
  const of = (read: Readonly<Record<string, number>>, otherwise = 0) =>
    measureCoverage(async ({ language }) => read[language] ?? otherwise)

  it('has every script, and the others by the median', async () => {
    expect(new Set(Object.values(await of({}, 1)))).toEqual(new Set([1]))
    expect(Object.keys(await of({}, 1))).toHaveLength(16)
    expect(await of({ English: 1, Chinese: 0.453, Japanese: 0.1 })).toEqual({
      Latin: 1,
      Han: 0.45,
      Kana: 0.1,
    })
  })

  it('takes the other languages in Latin letters together', async () => {
    expect(await of({ English: 1, German: 1, French: 0.5 })).toEqual({ Latin: 1, MarkedLatin: 0.3 })
  })
})

describe('sentences', () => {
  it('are few and short, because providers charge for them', () => {
    const texts = probeLanguages.flatMap((language) => language.pairs.flat())
    expect(texts.length).toBeLessThanOrEqual(304)
    expect(texts.join('').length).toBeLessThan(15_000)
    expect(new Set(texts).size).toBe(texts.length)
  })

  it.each(probeLanguages)('in $language are eight pairs in its script', ({ script, pairs }) => {
    expect(pairs).toHaveLength(8)
    const reads = { [script]: 1, ...(script === 'Latin' && { MarkedLatin: 1 }), ...(script === 'Kana' && { Han: 1 }) }
    for (const text of pairs.flat()) expect(readableShare(text, reads), text).toBe(1)
  })
})

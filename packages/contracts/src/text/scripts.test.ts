import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cosineWeight, type LanguageCoverage, readableShare, type Script, scripts, unreadScripts } from './scripts.ts'

const latin: LanguageCoverage = { Latin: 1, MarkedLatin: 1 }

it.each([
  ['plain English, with 3 digits and signs…', 1],
  ['Äpfel, déjà vu, ŝipo', 1],
  ['12 + 34 = ?', 1],
  ['', 1],
  ['الميناء', 0],
  ['हिन्दी', 0],
  ['港口', 0],
  ['abc港', 0.5],
  ['abc Ж', 0.75],
  ['abc 𠀀', 0.5],
  ['ab ヌ', 0.5],
  ['ab 개', 0.5],
])('is the share of Latin letters for a model that reads only those: %s → %f', (text, expected) => {
  expect(readableShare(text, latin)).toBe(expected)
})

const example: Readonly<Record<Script, string>> = {
  Latin: 'dog',
  MarkedLatin: 'ñandú',
  Cyrillic: 'собака',
  Greek: 'σκύλος',
  Armenian: 'շուն',
  Georgian: 'ძაღლი',
  Hebrew: 'כלב',
  Arabic: 'كلب',
  Devanagari: 'कुत्ता',
  Bengali: 'কুকুর',
  Tamil: 'நாய்',
  Thai: 'สุนัข',
  Han: '狗',
  Kana: 'いヌー',
  Hangul: '개',
  Other: 'ውሻ',
}

it.each(scripts)('knows letters of %s', (script) => {
  expect(readableShare(example[script], { [script]: 1 })).toBe(1)
  const isOther = (other: Script) => other !== script && (script !== 'MarkedLatin' || other !== 'Latin')
  const others = Object.fromEntries(scripts.filter(isOther).map((other) => [other, 1]))
  expect(readableShare(example[script], others)).toBe(0)
})

it('is the mean of the coverage of the letters, and 1 for a model that reads everything', () => {
  expect(readableShare('abc港', { Han: 0.5, Latin: 1 })).toBe(0.75)
  expect(readableShare('abc港Жш', { Han: 1, Latin: 1 })).toBeCloseTo(6 / 8, 12)
  expect(readableShare('plain', { Latin: 0.4 })).toBeCloseTo(0.4, 12)
  expect(readableShare('12 + 34', { Latin: 0.4 })).toBe(1)
  expect(readableShare('الميناء', undefined)).toBe(1)
})

const english: LanguageCoverage = { Latin: 1 }

it('reads other languages in Latin letters like English, or better', () => {
  for (const text of ['où est la gare ?', 'keine Umlaute']) expect(readableShare(text, english)).toBe(1)
  expect(readableShare('où est la gare ?', { Latin: 0.4, MarkedLatin: 1 })).toBeCloseTo(1, 12)
  expect(readableShare('est', { Latin: 0.4, MarkedLatin: 1 })).toBeCloseTo(0.4, 12)
})

it('weighs cosines less for a query in another language in Latin letters, told by its marks, gradually', () => {
  expect(cosineWeight('where is the station', english, 'en')).toBe(1)
  expect(cosineWeight('où est la gare ?', english, 'en')).toBeCloseTo(0.5, 12)
  expect(cosineWeight(`${'a'.repeat(199)}é`, english, 'en')).toBeCloseTo(0.75, 12)
  expect(cosineWeight(`${'a'.repeat(1_999)}é`, english, 'en')).toBeCloseTo(0.975, 12)
  expect(cosineWeight('où est la gare ?', { Latin: 1, MarkedLatin: 0.9 }, 'en')).toBeCloseTo(0.9, 12)
  expect(cosineWeight('où est la gare ?', { Latin: 1, MarkedLatin: 1 }, 'en')).toBe(1)
})

it('weighs cosines less for a query in Latin letters in a namespace of another language', () => {
  for (const language of ['en', 'none', 'ru'] as const) expect(cosineWeight('keine Marken', english, language)).toBe(1)
  expect(cosineWeight('keine Marken', english, 'de')).toBe(0.5)
  expect(cosineWeight('12 + 34', english, 'de')).toBe(1)
  expect(cosineWeight('الميناء', english, 'de')).toBe(0)
  expect(cosineWeight('keine Marken', undefined, 'de')).toBe(1)
})

it('is between 0 and 1, and never falls when a script is read better', () => {
  const anyReads = fc.record(
    Object.fromEntries(scripts.map((script) => [script, fc.double({ min: 0, max: 1, noNaN: true })])),
  )
  const anyText = fc.array(fc.constantFrom(...Object.values(example), '7', ' '), { maxLength: 12 })
  fc.assert(
    fc.property(anyReads, fc.constantFrom(...scripts), anyText, (reads: LanguageCoverage, script, words) => {
      const text = words.join('')
      const share = readableShare(text, reads)
      expect(share).toBeGreaterThanOrEqual(0)
      expect(share).toBeLessThanOrEqual(1)
      const better = { ...reads, [script]: 1 }
      expect(readableShare(text, better)).toBeGreaterThanOrEqual(share - 1e-12)
      for (const language of ['en', 'de'] as const) {
        const weight = cosineWeight(text, reads, language)
        expect(weight).toBeGreaterThanOrEqual(0)
        expect(weight).toBeLessThanOrEqual(share + 1e-12)
        expect(cosineWeight(text, better, language)).toBeGreaterThanOrEqual(weight - 1e-12)
      }
    }),
  )
})

it('names the scripts that a model does not read', () => {
  expect(unreadScripts(undefined)).toEqual([])
  expect(unreadScripts(Object.fromEntries(scripts.map((script) => [script, 0.5])))).toEqual([])
  const { Arabic: _, ...most } = Object.fromEntries(scripts.map((script) => [script, 1])) as Record<Script, number>
  expect(unreadScripts({ ...most, Han: 0.49 })).toEqual(['Arabic', 'Chinese'])
})

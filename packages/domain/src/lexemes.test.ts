import { languages } from '@cairn/contracts/languages'
import { expect, it } from 'vitest'
import { lexemesOf, queryLexemesOf } from './lexemes.ts'

/** Returns how many lexemes of `query` the text has. */
const shared = (query: string, text: string): number => {
  const ids = new Set(lexemesOf(text).ids)
  return [...lexemesOf(query).ids].filter((id) => ids.has(id)).length
}
const isFound = (query: string, text: string) => shared(query, text) === lexemesOf(query).ids.length

it.each([
  ['case', 'ZEBRA', 'a zebra'],
  ['accents', 'creme brulee', 'Crème brûlée'],
  ['compatible spellings', 'strasse', 'Straße'],
  ['English endings', 'connections', 'it connected'],
  ['a genitive', 'engine', "the engine's oil"],
  ['a contraction', "don't", 'we don’t'],
  ['an identifier as a whole', 'ERR_4021', 'failed with err_4021.'],
  ['a part of an identifier', '4021', 'failed with ERR_4021.'],
  ['a name with hyphens', 'RX-78-2', 'the rx-78-2 unit'],
  ['a path', 'foo.bar', 'call foo.bar(1)'],
  ['an address', 'ann@example.com', 'write to Ann@Example.com!'],
  ['signs of a language', 'C++', 'in C++ and C#'],
  ['a word of a script without spaces', '東京', '昨日東京へ行った'],
  ['a letter that is two units', '𝒳', 'the set 𝒳'],
  ['a picture', '🎉', 'done 🎉🎉'],
])('finds %s', (_, query, text) => {
  expect(isFound(query, text)).toBe(true)
})

it.each([
  ['C#', 'C++'],
  ['ERR_4021', 'ERR_4022'],
  ['foo.bar', 'foo'],
  ['東京', '京東'],
])('does not take %s for %s', (query, text) => {
  expect(isFound(query, text)).toBe(false)
})

it.each([
  ['de', 'Haus', 'die Häuser'],
  ['fr', 'maison', 'deux maisons'],
  ['es', 'cancion', 'canciones'],
  ['ru', 'дом', 'много домов'],
  ['tr', 'ev', 'evler'],
  ['none', 'tree', 'a tree'],
] as const)('finds endings of the language %s', (language, query, text) => {
  const ids = new Set(lexemesOf(text, language).ids)
  expect([...lexemesOf(query, language).ids].every((id) => ids.has(id))).toBe(true)
})

it('takes no endings of another language, and none without one', () => {
  expect(isFound('Haus', 'die Häuser')).toBe(false)
  expect(lexemesOf('trees', 'none').ids).not.toEqual(lexemesOf('tree', 'none').ids)
  expect(lexemesOf('trees', 'none').ids).not.toEqual(lexemesOf('trees', 'en').ids)
  for (const language of languages) expect(lexemesOf('a word', language).ids).toHaveLength(2)
})

it('counts each word, at most 255 times, in ascending order of its number', () => {
  const { ids, counts } = lexemesOf(`${'alpha '.repeat(300)}beta beta gamma`)
  expect([...counts].sort((a, b) => a - b)).toEqual([1, 2, 255])
  expect([...ids]).toEqual([...ids].sort((a, b) => a - b))
  expect(lexemesOf('').ids).toHaveLength(0)
  expect(lexemesOf(' \n.,;!').ids).toHaveLength(0)
})

it('gives the same lexemes however often and in whichever order texts come', () => {
  const text = 'The quick brown foxes, jumping over ERR_4021 and don’t'
  const first = lexemesOf(text)
  lexemesOf('something else entirely')
  expect(lexemesOf(text)).toEqual(first)
})

it('keeps up with a text that is one endless word, or nothing but signs', () => {
  for (const text of ['a'.repeat(50_000), 'a.'.repeat(25_000), '_-'.repeat(25_000), "a'b".repeat(16_000)])
    expect(lexemesOf(text).ids.length).toBeLessThan(50_000)
})

it.each([
  [511, 511],
  [512, 512],
  [513, 512],
])('takes the first 512 distinct lexemes of a query: %i words give %i', (words, expected) => {
  const text = Array.from({ length: words }, (_, index) => `x${index}`)
  const lexemes = queryLexemesOf(text.join(' '), 'en')
  expect(lexemes).toHaveLength(expected)
  expect(lexemes).toEqual(lexemesOf(text.slice(0, 512).join(' '), 'en').ids)
  expect(queryLexemesOf(`${text.join(' ')} ${text.join(' ')}`, 'en')).toEqual(lexemes)
})

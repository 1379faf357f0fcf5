import { languages } from '@cairn/contracts/text/languages'
import { usedHeapMb } from '@cairn/testing/used-heap'
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
  ['full-width characters', 'ＡＰＩ', 'the api'],
  ['ligatures', 'office', 'the o\ufb03ce'],
  ['soft hyphens', 'collaboration', 'col\u00adlab\u00ador\u00ada\u00adtion'],
  ['joiners and spaces without width', 'keyword', 'key\u200bw\u2060or\u200dd'],
  ['Arabic signs between digits', '45678.5', 'عدد ٤٥٬٦٧٨٫٥'],
  ['Arabic vowel signs', 'مدرسة', 'مَدْرَسَةٌ'],
  ['the widened line of Arabic', 'كتاب', 'كتـــاب'],
  ['Arabic letters with hamza', 'اسلام', 'الإسلام'],
  ['Hebrew vowel signs', 'שלום', 'שָׁלוֹם'],
  ['Hindi endings', 'लड़का', 'लड़के'],
  ['Hindi without the dot below', 'लडका', 'लड़का'],
  ['Russian endings in any namespace', 'дом', 'много домов'],
  ['Russian words with and without the dots of ё', 'елка', 'две ёлки'],
  ['Russian words with the accent of stress', 'кошка', 'ко\u0301шки'],
  ['Tamil endings in any namespace', 'மாணவர்', 'மாணவர்கள் வந்தனர்'],
  ['Arabic endings in any namespace', 'كتاب', 'الكتاب'],
  ['a Korean word before a particle', '학교', '저는 학교에서 왔다'],
  ['digits of other scripts', '2024', 'سنة ٢٠٢٤'],
  ['a part of a class name', 'executor', 'struct DiffExecutor'],
  ['an acronym in a class name', 'http', 'class HTTPServer'],
  ['a class name as a whole', 'diffexecutor', 'struct DiffExecutor'],
  ['digits behind letters', '4021', 'failed with ERR4021'],
  ['digits in a path', '4021', '/api/v2/users/4021.json'],
  ['a file in a path', 'server.ts', 'see packages/http/src/server.ts'],
  ['a file in a Windows path', 'run-all.cmd', String.raw`C:\tools\bin\run-all.cmd`],
  ['a name with signs in a qualified name', 'foo_bar', 'app.foo_bar.run()'],
  ['a qualified name', 'std::vec::Vec', 'a std::vec::Vec of'],
  [
    'a name longer than 64 characters',
    `${'a'.repeat(100)}.${'b'.repeat(100)}`,
    `${'a'.repeat(100)}.${'b'.repeat(100)}`,
  ],
  ['a part of a long name', 'zebra', `${'abc.'.repeat(40)}zebra`],
  ['an address of a page', 'https://example.com/a?b=c#d', 'see https://example.com/a?b=c#d.'],
  ['a part of such an address', 'example.com', 'see https://example.com/a?b=c#d.'],
  ['a number with signs between thousands', '1234.5', 'costs 1,234.50 dollars'],
  ['a number with a decimal comma', '1234.5', 'kostet 1.234,50 Euro'],
  ['a number with apostrophes', '1234567', "1'234'567 Franken"],
  ['a number with no-break spaces', '1234567', '1\u00a0234\u202f567 euros'],
  ['a number whose sign may be of thousands', '1234', 'about 1,234 items'],
  ['a number whose sign may be a decimal one', '1.234', 'about 1,234 items'],
  ['a version as a whole', '1.2.3', 'released 1.2.3 today'],
  ['a part of a list of numbers', '5', 'see 3,5,9'],
])('finds %s', (_, query, text) => {
  expect(isFound(query, text)).toBe(true)
})

it.each([
  ['C#', 'C++'],
  ['ERR_4021', 'ERR_4022'],
  ['foo.bar', 'foo'],
  ['東京', '京東'],
  ['1.2.3', '1.2.4'],
  ['1,234', '1,235'],
  ['12345', '1,234.5'],
  ['DiffExecutor', 'DiffObserver'],
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

it('finds an identifier with digits by its digits, and asks for it as a whole', () => {
  const text = lexemesOf('The marker50x is set.').ids
  expect(queryLexemesOf('marker50x', 'en')).toHaveLength(1)
  for (const query of ['marker50x', 'marker', '50'])
    expect([...text]).toEqual(expect.arrayContaining([...queryLexemesOf(query, 'en')]))
})

it('takes no endings of another language, and none without one', () => {
  expect(isFound('Haus', 'die Häuser')).toBe(false)
  expect(lexemesOf('trees', 'none').ids).not.toEqual(lexemesOf('tree', 'none').ids)
  expect(lexemesOf('trees', 'none').ids).not.toEqual(lexemesOf('trees', 'en').ids)
  for (const language of languages) expect(lexemesOf('a word', language).ids).toHaveLength(2)
})

it.each([
  ['decimals of a number', (length: number) => `1.${'0'.repeat(length)}1`],
  ['accents', (length: number) => `a${'\u0301\u0316'.repeat(length / 2)}`],
  ['marks that are no accents', (length: number) => '\u0f72\u0f71'.repeat(length / 2)],
  ['marks that become two', (length: number) => '\u0f73'.repeat(length)],
  ['letters that become marks', (length: number) => '\uff9e\u0301'.repeat(length / 2)],
  ['vowel signs of Arabic', (length: number) => '\u064b\u0650'.repeat(length / 2)],
  ['vowel signs of Devanagari', (length: number) => `क${'\u093e'.repeat(length)}क`],
])('takes linear time for a word of many %s', (_, textOf) => {
  const timeOf = (length: number): number => {
    const text = textOf(length)
    const times = Array.from({ length: 5 }, () => {
      const from = performance.now()
      lexemesOf(text)
      return performance.now() - from
    })
    return Math.min(...times)
  }
  timeOf(5_000)
  // Ten times as long: about 100 times the time if it were quadratic.
  expect(timeOf(40_000)).toBeLessThan(30 * Math.max(1, timeOf(4_000)))
})

it('counts each word, at most 127 times, in ascending order of its number', () => {
  const { ids, counts } = lexemesOf(`${'alpha '.repeat(300)}beta beta gamma`)
  expect([...counts].sort((a, b) => a - b)).toEqual([1, 2, 127])
  expect([...ids]).toEqual([...ids].sort((a, b) => a - b))
  expect(lexemesOf('').ids).toHaveLength(0)
  expect(lexemesOf(' \n.,;!').ids).toHaveLength(0)
})

it('marks the words of the context, whether the text has them or not', () => {
  const count = (word: string) => {
    const { ids, counts } = lexemesOf('alpha beta beta', 'en', 'beta gamma gamma')
    return counts[ids.indexOf(lexemesOf(word).ids[0] as number)]
  }
  expect(['alpha', 'beta', 'gamma'].map(count)).toEqual([1, 128 + 2, 128])
})

it('gives the same lexemes however often and in whichever order texts come', () => {
  const text = 'The quick brown foxes, jumping over ERR_4021 and don’t'
  const first = lexemesOf(text)
  lexemesOf('something else entirely')
  expect(lexemesOf(text)).toEqual(first)
})

it('keeps up with a text that is one endless word, or nothing but signs', () => {
  for (const text of [
    'a'.repeat(50_000),
    'a.'.repeat(25_000),
    '_-'.repeat(25_000),
    "a'b".repeat(16_000),
    'கா'.repeat(25_000),
  ])
    expect(lexemesOf(text).ids.length).toBeLessThan(50_000)
})

it('keeps no document in memory for a word that it has cached', () => {
  const before = usedHeapMb()
  for (let index = 0; index < 1_000; index += 1)
    lexemesOf(Buffer.from(`documentnumber${'abcdefghij'[index % 10]}x${index} ${'word '.repeat(9_000)}`).toString())
  expect(usedHeapMb() - before).toBeLessThan(15)
})

it('takes little time for thousands of vowel signs within a word', () => {
  const from = performance.now()
  for (const sign of ['ा', 'ि', 'ं']) lexemesOf(`क${sign.repeat(50_000)}क`)
  expect(performance.now() - from).toBeLessThan(2_000)
})

it('takes little time for a query whose characters become many', () => {
  const from = process.threadCpuUsage()
  for (const query of ['ﷺ'.repeat(9_999), 'ﷺ '.repeat(4_999), 'a\\'.repeat(4_999)]) queryLexemesOf(query, 'hu')
  const { user, system } = process.threadCpuUsage(from)
  expect((user + system) / 1_000).toBeLessThan(100)
})

it('finds words of a query behind repeated characters that become many', () => {
  expect([...queryLexemesOf(`${'ﷺ '.repeat(1_000)} stone`, 'en')]).toEqual(
    expect.arrayContaining([...queryLexemesOf('stone', 'en')]),
  )
})

it.each([
  [511, 511],
  [512, 512],
  [513, 512],
])('takes the first 512 distinct lexemes of a query: %i words give %i', (words, expected) => {
  const text = Array.from(
    { length: words },
    (_, index) => `x${String(index).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] as string)}`,
  )
  const lexemes = queryLexemesOf(text.join(' '), 'en')
  expect(lexemes).toHaveLength(expected)
  expect(lexemes).toEqual(lexemesOf(text.slice(0, 512).join(' '), 'en').ids)
  expect(queryLexemesOf(`${text.join(' ')} ${text.join(' ')}`, 'en')).toEqual(lexemes)
})

it.each([
  ['URLs within URLs', 'ab://'.repeat(1_999)],
  ['dots in a URL', `http://a${'.'.repeat(9_980)}`],
])('reads thousands of %s', (_, text) => {
  expect([...lexemesOf(`${text}stone`).ids]).toEqual(expect.arrayContaining([...queryLexemesOf('stone', 'en')]))
})

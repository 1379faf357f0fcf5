import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { metadataTerms, passageWords } from '../text/terms.ts'
import { filterOf, parseSearchQuery } from './search-query.ts'

/** Any UTF-16, lone surrogates included. */
const anyText = (maxLength: number) =>
  fc.oneof(
    fc.string({ maxLength }),
    fc.uint16Array({ maxLength }).map((units) => String.fromCharCode(...units)),
  )

describe('parseSearchQuery', () => {
  it.each([
    ['plain text', 'plain text', [], []],
    ['  how  to walk  #source:handbook  ', 'how  to walk', ['source:handbook'], []],
    ['walk #Source:Hand-Book #trail #lang:EN', 'walk', ['source:hand book', 'lang:en'], ['trail']],
    ['#a:1 #b', '', ['a:1'], ['b']],
    ['#a:1', '', ['a:1'], []],
    ['What is C#', 'What is C#', [], []],
    ['about #cats and dogs', 'about #cats and dogs', [], []],
    ['about #cats and #dogs', 'about #cats and', [], ['dogs']],
    ['issue #', 'issue #', [], []],
    ['wow #!!! #cat', 'wow #!!!', [], ['cat']],
    ['x #c++ #state-of', 'x', [], ['c++', 'state', 'of']],
    ['x #url:http://a/b', 'x', ['url:http://a/b'], []],
    ['x #key: #:value', 'x', ['key:', ':value'], []],
    ['x\t#a:1\n#b:2', 'x', ['a:1', 'b:2'], []],
    ['x #a:1 #A:1 #w #W', 'x', ['a:1'], ['w']],
    ['', '', [], []],
    ['   ', '', [], []],
  ])('reads %j', (query, text, terms, words) => {
    const parsed = parseSearchQuery(query)
    expect(parsed.text).toBe(text)
    expect(filterOf(parsed)).toEqual({ terms, words })
  })

  it('agrees with what is indexed, for any key and value that a query can hold', () => {
    const token = anyText(12).filter((text) => text !== '' && !/\s/u.test(text) && text.isWellFormed())
    expect(() =>
      fc.assert(
        fc.property(token, token, (key, value) => {
          const [term] = filterOf(parseSearchQuery(`anything #${key}:${value}`)).terms
          return metadataTerms({ [key]: value }).includes(term ?? '')
        }),
      ),
    ).not.toThrow()
  })

  it.each([
    ['New York', 'new-york'],
    ['new-york', 'New-York'],
    [42, '42'],
    [-1.5, '-1.5'],
    [true, 'TRUE'],
    [['x', 'Dark Blue'], 'dark-blue'],
  ])('finds metadata %j by %j', (value, asked) => {
    const [term] = filterOf(parseSearchQuery(`#page-title:${asked}`)).terms
    expect(metadataTerms({ 'Page title': value })).toContain(term)
  })

  it('finds a hyphenated word in either spelling', () => {
    const { words } = parseSearchQuery('#machine-learning')
    for (const text of ['machine learning', 'Machine-Learning'])
      expect(passageWords(text)).toEqual(expect.arrayContaining([...words]))
  })

  it('never throws, and reads its own text without filters', () => {
    expect(() =>
      fc.assert(
        fc.property(anyText(30), (query) => {
          const { text } = parseSearchQuery(query)
          const again = parseSearchQuery(text)
          return again.text === text && again.terms.length === 0 && again.words.length === 0
        }),
      ),
    ).not.toThrow()
  })
})

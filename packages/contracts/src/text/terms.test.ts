import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { metadataTerms, passageWords, queryWords } from './terms.ts'

/** Any UTF-16, lone surrogates included. */
const anyText = (maxLength: number) =>
  fc.oneof(
    fc.string({ maxLength }),
    fc.uint16Array({ maxLength }).map((units) => String.fromCharCode(...units)),
  )

describe('metadataTerms', () => {
  it('writes scalars by their text and arrays by their elements', () => {
    const metadata = {
      Author: 'Ada',
      page: 4,
      price: -1.5,
      open: true,
      none: null,
      tags: ['Red', 'dark-blue', 7, { x: 1 }, ['y']],
      deep: { a: 1 },
    }
    expect(metadataTerms(metadata)).toEqual([
      'author:ada',
      'page:4',
      'price: 1.5',
      'open:true',
      'none:null',
      'tags:red',
      'tags:dark blue',
      'tags:7',
    ])
  })

  it('takes hostile keys for ordinary ones', () => {
    expect(metadataTerms(JSON.parse('{"__proto__":"x","constructor":1,"":"e","$where":"1"}'))).toEqual([
      '__proto__:x',
      'constructor:1',
      ':e',
      '$where:1',
    ])
  })

  it('says a term once', () => {
    expect(metadataTerms({ a: ['X', 'x'], A: 'x' })).toEqual(['a:x'])
  })

  it('lets no control character and no lone surrogate into a term', () => {
    const any = anyText(30)
    const isClean = (term: string) => !/\p{Cc}/u.test(term) && term.isWellFormed()
    expect(() =>
      fc.assert(fc.property(any, any, (key, value) => metadataTerms({ [key]: value }).every(isClean))),
    ).not.toThrow()
  })
})

describe('passageWords', () => {
  it.each([
    ['The cat, the CAT.', ['the', 'cat']],
    ['C++ and C# (not F#)', ['c++', 'c', 'and', 'c#', 'not', 'f#', 'f']],
    ['a+b x++y C++11', ['a', 'b', 'x', 'y', 'c', '11']],
    ['state-of-the-art foo_bar node.js', ['state', 'of', 'the', 'art', 'foo_bar', 'node', 'js']],
    ["don't O’Brien", ['don', 't', 'o', 'brien']],
    ['Füße FÜSSE', ['füsse']],
    ['東京に住む', ['東', '京', 'に', '住', 'む']],
    ['hello🙂world', ['hello', '🙂', 'world']],
    ['#tag ##x # !!!', ['tag', 'x']],
    ['', []],
  ])('of %j are %j', (text, words) => {
    expect(passageWords(text)).toEqual(words)
  })
})

describe('queryWords', () => {
  it.each([
    ['c++', ['c++']],
    ['C#', ['c#']],
    ['a-b', ['a', 'b']],
    ['node.js', ['node', 'js']],
    ['東京', ['東', '京']],
    ['!!!', []],
  ])('of %j are %j', (text, words) => {
    expect(queryWords(text)).toEqual(words)
  })

  it('finds every token in every passage that holds it between blanks', () => {
    const token = anyText(12).filter((text) => text !== '' && !/\s/u.test(text))
    const around = anyText(30)
    expect(() =>
      fc.assert(
        fc.property(around, token, around, (before, word, after) => {
          const passage = new Set(passageWords(`${before} ${word} ${after}`))
          return queryWords(word).every((each) => passage.has(each))
        }),
        { numRuns: 500 },
      ),
    ).not.toThrow()
  })

  it('finds a word in any case', () => {
    expect(() =>
      fc.assert(
        fc.property(anyText(12), (word) => {
          const passage = new Set(passageWords(word.toUpperCase()))
          return queryWords(word).every((each) => passage.has(each))
        }),
      ),
    ).not.toThrow()
  })

  it('takes time in proportion to the text, also for hostile texts', () => {
    for (const unit of ['a', 'a+', '+', '#', 'a+#', '東']) {
      const time = (length: number) => {
        const text = `${unit.repeat(length / unit.length)}!`
        const startedAt = performance.now()
        passageWords(text)
        return performance.now() - startedAt
      }
      time(50_000)
      expect(time(100_000), unit).toBeLessThan(5_000)
    }
  })
})

import { describe, expect, it, vi } from 'vitest'
import { checkDocument } from '../documents/document-rules.ts'
import type { UserObject } from '../documents/metadata.ts'
import { checkVectors } from '../documents/vector-rules.ts'
import { metadataTerms } from '../text/terms.ts'
import { exactJson, parseExact, parseInTurns, parseWithDigits } from './exact-json.ts'

/** Texts in the stored form: compact, as written by `JSON.stringify`. */
const texts = [
  '{"n":9007199254740993}',
  '{"n":-9007199254740993,"m":9007199254740991,"deep":[{"of":[1,123456789012345678901234567890]}]}',
  '[9007199254740993,[9007199254740993],{"a":{"b":{}}}]',
  '{"__proto__":9007199254740993,"constructor":{"n":9007199254740995}}',
  '{"text":"9007199254740993 [9007199254740993, -9007199254740993]","n":1}',
  '{"a":"\\ud800","\\udfff":"\\udc00\\ud83d","n":9007199254740993}',
  '{"plain":[1,1.5,-2e-7,true,null,"x"]}',
]

describe('integers beyond 2^53', () => {
  it.each(texts)('go through as they came: %s', (text) => {
    expect(exactJson(parseWithDigits(text))).toBe(text)
    expect(JSON.stringify(parseExact(text))).toBe(text)
  })

  it('are the nearest numbers for whoever reads them', () => {
    for (const text of texts) expect(parseWithDigits(text)).toEqual(JSON.parse(text))
    expect(parseWithDigits('9007199254740993')).toBe(9_007_199_254_740_992)
  })

  it('are what the last of a repeated key says', () => {
    expect(exactJson(parseWithDigits('{"a":9007199254740993,"a":1,"b":1,"b":9007199254740993}'))).toBe(
      '{"a":1,"b":9007199254740993}',
    )
  })

  it('are no other numbers: fractions, exponents, and what no number holds', () => {
    const text = '[1234567890123456.5,12345678901234567e3,0.12345678901234567890]'
    expect(exactJson(parseWithDigits(text))).toBe(JSON.stringify(JSON.parse(text)))
    expect(parseWithDigits(`[1${'0'.repeat(400)}]`)).toEqual([Number.POSITIVE_INFINITY])
  })

  it('are told from digits within strings, whatever these escape', () => {
    const text = String.raw`{"\\\"":"\\",":9007199254740993":["\",9007199254740993,",9007199254740993,"\\\\"],"e":[true,null,-0.5e+7]}`
    expect(exactJson(parseWithDigits(text))).toBe(text.replace('-0.5e+7', '-5000000'))
  })

  it('are parsed in turns alike, and other tasks run in between', async () => {
    for (const text of texts) expect(exactJson(await parseInTurns(text))).toBe(text)
    const list = `[${Array.from({ length: 200_000 }, (_, index) => 9_007_199_254_740_993n + BigInt(index)).join(',')}]`
    const many = `{"list":${list},"rows":[${list},[]],"keys":{"a":${list}}}`
    let turns = 0
    let isParsing = true
    const turn = (): void => {
      turns += 1
      if (isParsing) setImmediate(turn)
    }
    turn()
    const parsed = await parseInTurns(many)
    isParsing = false
    expect(turns).toBeGreaterThan(5)
    expect(exactJson(parsed)).toBe(many)
  })

  it('in a batch of vectors have no function called for each of its numbers', () => {
    const parse = vi.spyOn(JSON, 'parse')
    try {
      const text = `{"vectors":[{"id":9007199254740993,"vector":[${'1,'.repeat(10_000)}1]}]}`
      expect(exactJson(parseWithDigits(text))).toBe(text)
      expect(parse.mock.calls.filter(([, reviver]) => reviver !== undefined)).toEqual([])
    } finally {
      parse.mockRestore()
    }
  })

  it('of more digits than a number has, however many, are left to JSON.parse', () => {
    expect(parseWithDigits(`[${'1'.repeat(10_000_000)},9007199254740993]`)).toEqual([
      Number.POSITIVE_INFINITY,
      9_007_199_254_740_992,
    ])
  })
})

describe('metadata with such integers', () => {
  const json = (extra: string) => parseWithDigits(`{"id":"a","text":"long enough a text",${extra}}`) as UserObject
  const metadataOf = (extra: string) => {
    const checked = checkDocument(json(extra), { minTextLength: 1 })
    return checked.ok ? checked.document.metadataJson : checked.failure.error
  }

  it('is kept as it was sent, flat or under metadata, and a flat key wins with its own digits', () => {
    expect(metadataOf('"n":9007199254740993')).toBe('{"n":9007199254740993}')
    expect(metadataOf('"metadata":{"n":9007199254740993,"m":[9007199254740995]}')).toBe(
      '{"n":9007199254740993,"m":[9007199254740995]}',
    )
    expect(metadataOf('"metadata":{"n":9007199254740993,"k":9007199254740997},"n":9007199254740995')).toBe(
      '{"n":9007199254740995,"k":9007199254740997}',
    )
    expect(metadataOf('"metadata":{"n":9007199254740993},"n":1')).toBe('{"n":1}')
  })

  it('is still refused where a number is beyond the range of JSON readers', () => {
    expect(metadataOf(`"n":9007199254740993,"m":1${'0'.repeat(400)}`)).toBe('Invalid metadata')
  })

  it('of vectors is kept alike, and elements of a vector stay numbers', () => {
    const source = parseWithDigits('{"id":"v","vector":[10000000000000001,1],"n":9007199254740993}') as UserObject
    const { accepted } = checkVectors([source], 2)
    expect(accepted).toMatchObject([{ vector: Float32Array.of(1e16, 1), metadataJson: '{"n":9007199254740993}' }])
  })

  it('refuses such an id in the words of before', () => {
    const source = parseWithDigits('{"id":9007199254740993,"text":"long enough a text"}') as UserObject
    expect(() => checkDocument(source, { minTextLength: 1 })).toThrow(
      'id must be an integer within ±(2^53−1), since a larger one loses digits',
    )
  })

  it('is found by its digits, and by those of the nearest number', () => {
    const terms = metadataTerms(parseExact('{"n":9007199254740993,"list":[9007199254740995,"x"]}') as UserObject)
    expect(terms).toEqual([
      'n:9007199254740993',
      'n:9007199254740992',
      'list:9007199254740995',
      'list:9007199254740996',
      'list:x',
    ])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countMetadataKeys, holdsOnlyJson, mergeMetadata, type UserObject } from './metadata.ts'

const merged = (json: string): string => JSON.stringify(mergeMetadata(JSON.parse(json), ['id', 'text']))

describe('mergeMetadata', () => {
  it('takes every key but the reserved ones', () => {
    expect(merged('{"id":1,"text":"t","a":1,"b":null}')).toBe('{"a":1,"b":null}')
  })

  it('merges a lone object under metadata into the flat keys, which win', () => {
    expect(merged('{"id":1,"metadata":{"a":1,"b":2},"b":3}')).toBe('{"a":1,"b":3}')
  })

  it('keeps reserved names and metadata itself when they stand inside the lone object', () => {
    expect(merged('{"id":1,"metadata":{"text":"inner","metadata":{"x":1}}}')).toBe(
      '{"text":"inner","metadata":{"x":1}}',
    )
  })

  it.each(['"text"', '7', 'null', '[1,{"a":2}]'])('keeps metadata of %s as a key like any other', (value) => {
    expect(merged(`{"id":1,"metadata":${value}}`)).toBe(`{"metadata":${value}}`)
  })

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'toJSON', 'a.b', '$where', '', 'k'.repeat(1_000)])(
    'gives back the key %j byte for byte and leaves every other object alone',
    (key) => {
      const name = JSON.stringify(key)
      expect(merged(`{"id":1,${name}:{"x":1}}`)).toBe(`{${name}:{"x":1}}`)
      expect(merged(`{"id":1,"metadata":{${name}:{"x":1}}}`)).toBe(`{${name}:{"x":1}}`)
      expect(({} as Record<string, unknown>)['x']).toBeUndefined()
    },
  )

  it('gives back any JSON object as it came', () => {
    const keys = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty'))
    const anyObject = fc.dictionary(
      keys.filter((key) => !['id', 'text', 'metadata'].includes(key)),
      fc.jsonValue(),
    )
    expect(() =>
      fc.assert(
        fc.property(anyObject, (object) => {
          const json = JSON.stringify(object)
          return merged(json) === JSON.stringify(JSON.parse(json))
        }),
      ),
    ).not.toThrow()
  })
})

describe('holdsOnlyJson', () => {
  it('finds a number beyond the range at any depth', () => {
    expect(holdsOnlyJson(JSON.parse('{"a":[1,{"b":1e400}]}'))).toBe(false)
    expect(holdsOnlyJson(JSON.parse('{"a":[1,{"b":-1.5e300,"c":null,"d":true,"e":"1e400"}]}') as UserObject)).toBe(true)
  })
})

it('counts the keys that merged metadata would have', () => {
  const key = fc.constantFrom('id', 'text', 'metadata', 'a', 'b', '__proto__', 'constructor')
  const flat = fc.dictionary(key, fc.oneof(fc.integer(), fc.constant(null), fc.constant([1])))
  const sources = fc.record({ source: flat, nested: fc.option(fc.dictionary(key, fc.integer()), { nil: undefined }) })
  const property = fc.property(sources, ({ source, nested }) => {
    const sent = JSON.parse(JSON.stringify(nested ? { ...source, metadata: nested } : source)) as UserObject
    expect(countMetadataKeys(sent, ['id', 'text'])).toBe(Object.keys(mergeMetadata(sent, ['id', 'text'])).length)
  })
  fc.assert(property)
})

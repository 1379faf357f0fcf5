import { describe, expect, it } from 'vitest'
import { parseWithDigits } from '../json/exact-json.ts'
import { limits } from '../limits.ts'
import { checkFileMetadata, withFileMetadata } from './file-metadata.ts'

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]))
const nested = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
/** Metadata whose compact JSON has this number of bytes. */
const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })

describe('metadata of a file', () => {
  it.each<[string, unknown, boolean]>([
    ['is an empty object', {}, true],
    ['has as many keys as a document may', keys(limits.metadataKeys), true],
    ['has one key more', keys(limits.metadataKeys + 1), false],
    ['has as many bytes as a document may', ofBytes(limits.metadataBytes), true],
    ['has one byte more', ofBytes(limits.metadataBytes + 1), false],
    ['has a number that JSON lacks', { a: [Number.POSITIVE_INFINITY] }, false],
    ['has as many levels as a body may', nested(63), true],
    ['has one level more', nested(64), false],
    ['would overflow the stack', JSON.parse(`{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}`), false],
    ['is an array', [], false],
    ['is null', null, false],
    ['is text', '{}', false],
    ['is missing', undefined, false],
  ])('that %s', (_, sent, ok) => {
    expect(checkFileMetadata(sent).ok).toBe(ok)
  })

  it('keeps the digits of long integers, and keys that objects have by themselves', () => {
    const json = '{"n":12345678901234567890,"__proto__":{"x":1},"constructor":"c"}'
    expect(checkFileMetadata(parseWithDigits(json))).toEqual({ ok: true, json })
    expect(withFileMetadata('{"page":"3"}', json)).toBe(`{"page":"3",${json.slice(1)}`)
  })

  it('yields to keys of the chunk, also those that it lacks, and replaces properties of the file', () => {
    const extracted = '{"source":"a.pdf","page":"3","author":"Ada","year":1843}'
    const merged = withFileMetadata(extracted, '{"page":9,"is_summary":true,"author":"Eve","team":["a"]}')
    expect(JSON.parse(merged)).toEqual({ source: 'a.pdf', page: '3', author: 'Eve', team: ['a'], year: 1843 })
  })

  it('is always whole; properties of the file give way to it', () => {
    const sent = { ...ofBytes(2_000), b: 1 }
    const extracted = { source: 'a.txt', long: 'y'.repeat(100), short: 1 }
    const merged = JSON.parse(withFileMetadata(JSON.stringify(extracted), JSON.stringify(sent)))
    expect(merged).toEqual({ source: 'a.txt', ...sent, short: 1 })
    const full = JSON.parse(withFileMetadata('{"source":"a.txt","p":1}', JSON.stringify(keys(50))))
    expect(full).toEqual({ source: 'a.txt', ...keys(50) })
  })
})

import { inflateSync } from 'node:zlib'
import { type FileType, fileTypes } from '@cairn/contracts/files/file-rules'
import { beforeAll, describe, expect, it } from 'vitest'
import { createMaterial } from './create-material.ts'
import { zlibBomb } from './deflate-bomb.ts'
import { mutate, mutationKinds } from './mutate.ts'
import { unzip } from './zip-reader.ts'

const small = { expandedBytes: 3_000_000, hugeBytes: 100_000 }
/** Kinds that are not tested here, because creating them takes a second or more. */
const slow = ['million-strings', 'many-objects', 'zip-many-entries', 'wide-row']
const sound = new Map<FileType, Buffer>()
const bytesOf = (type: FileType) => sound.get(type) as Buffer

beforeAll(async () => {
  for (const type of fileTypes) sound.set(type, (await createMaterial(type, 1)).bytes)
})

describe('mutate', () => {
  it.each(fileTypes)('spoils %s in every way it knows, and leaves the sound file as it is', (type) => {
    const before = Buffer.from(bytesOf(type))
    for (const kind of mutationKinds(type)) {
      if (slow.includes(kind)) continue
      const { bytes } = mutate(bytesOf(type), type, 11, { ...small, kind })
      expect(bytes.equals(before), kind).toBe(false)
    }
    expect(bytesOf(type).equals(before)).toBe(true)
  })

  it('spoils in the same way for the same seed, in another for another', () => {
    for (const type of fileTypes) {
      for (const kind of ['noise', 'swapped', 'many-bits']) {
        const [first, again, other] = [3, 3, 4].map((seed) => mutate(bytesOf(type), type, seed, { kind }).bytes)
        expect(again?.equals(first as Buffer)).toBe(true)
        expect(other?.equals(first as Buffer)).toBe(false)
      }
    }
  })

  it('spoils in many ways for many seeds', () => {
    for (const type of ['csv', 'md', 'txt'] as const) {
      const spoilt = Array.from({ length: 60 }, (_, seed) => mutate(bytesOf(type), type, seed, small))
      expect(new Set(spoilt.map(({ kind }) => kind)).size).toBeGreaterThan(15)
    }
  })

  it('makes archives that become as large as is asked', () => {
    for (const [type, name] of [
      ['docx', 'word/document.xml'],
      ['xlsx', 'xl/sharedStrings.xml'],
    ] as const) {
      const { bytes } = mutate(bytesOf(type), type, 1, { ...small, kind: 'zip-bomb' })
      const part = unzip(bytes).find((entry) => entry.name === name)
      expect(part?.data.length).toBeGreaterThan(3_000_000)
      expect(bytes.length).toBeLessThan(40_000)
    }
    const large = mutate(bytesOf('docx'), 'docx', 1, { expandedBytes: 10_000_000_000, kind: 'zip-bomb' })
    expect(large.bytes.length).toBeLessThan(12_000_000)
    const page = inflateSync(zlibBomb({ opening: 'first', unit: 'ab', closing: 'last', size: 2_000_000 }))
    expect([page.length, page.toString('latin1', 0, 8), page.toString('latin1', page.length - 6)]).toEqual([
      2_000_009,
      'firstaba',
      'ablast',
    ])
  })

  it('puts the canaries where a careless reader would follow them', () => {
    const canaries = { canaryFile: '/tmp/canary-file', canaryUrl: 'http://127.0.0.1:9/canary-url' }
    const inParts = (bytes: Buffer) =>
      unzip(bytes)
        .map(({ data }) => data.toString())
        .join('\n')
    for (const type of ['docx', 'xlsx'] as const) {
      expect(inParts(mutate(bytesOf(type), type, 1, { ...canaries, kind: 'xxe-file' }).bytes)).toContain(
        'SYSTEM "file:///tmp/canary-file"',
      )
      expect(inParts(mutate(bytesOf(type), type, 1, { ...canaries, kind: 'xxe-url' }).bytes)).toContain(
        'SYSTEM "http://127.0.0.1:9/canary-url"',
      )
    }
    expect(inParts(mutate(bytesOf('docx'), 'docx', 1, { ...canaries, kind: 'external-links' }).bytes)).toContain(
      'file:///tmp/canary-file',
    )
    expect(
      mutate(bytesOf('pdf'), 'pdf', 1, { ...canaries, kind: 'script-that-acts' }).bytes.toString('latin1'),
    ).toContain('canary-url')
  })

  it('refuses a way it does not know', () => {
    expect(() => mutate(bytesOf('txt'), 'txt', 1, { kind: 'zip-bomb' })).toThrow(RangeError)
  })
})

import { compareText } from '@cairn/domain/items/documents'
import { seededRandom } from '@cairn/testing/seeded-random'
import { Binary } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { encodeOrdered, filterOf, fromStored, idOf, searchOf, sortOf, toStored, updateOf } from './mongodb-documents.ts'

const byUnits = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
const characters = [
  '0',
  'a',
  '/',
  '\u0001',
  'é',
  '\ud7fe',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{1f98a}',
  '\u{10ffff}',
]

describe('texts of a key', () => {
  it('have the same order by UTF-16 units, UTF-8 bytes and code points', () => {
    const random = seededRandom(7)
    for (let round = 0; round < 500; round += 1) {
      const [a, b] = [0, 1].map(() =>
        Array.from({ length: random.below(5) }, () => random.pick(characters)).join(''),
      ) as [string, string]
      const wanted = Math.sign(compareText(a, b))
      expect({ a, b, order: byUnits(encodeOrdered(a), encodeOrdered(b)) }).toEqual({ a, b, order: wanted })
      expect({ a, b, order: byBytes(encodeOrdered(a), encodeOrdered(b)) }).toEqual({ a, b, order: wanted })
    }
  })

  it('stay unchanged if they need no escaping', () => {
    expect(encodeOrdered('Ünïcode_01-a b$%日本語')).toBe('Ünïcode_01-a b$%日本語')
  })

  it('make a text that is unique to the key', () => {
    const keys = [
      ['ns_1', 'a'],
      ['ns_1', 'a/b'],
      ['ns_1/a', 'b'],
      ['ns_10', 'a'],
      ['ns_1', '/a'],
      ['ns_1/', 'a'],
      ['ns_1', '\ud7ff00002fa'],
    ]
    expect(new Set(keys.map(idOf)).size).toBe(keys.length)
    expect(idOf(['ns_1', 'a/b'])).toBe('ns_1/a/b')
  })

  it('must be text: an object is rejected', () => {
    expect(() => idOf(['ns_1', { $gt: '' } as unknown as string])).toThrow(TypeError)
    expect(() => idOf([{ $gt: '' } as unknown as string, 'a'])).toThrow(TypeError)
    expect(() => idOf([])).toThrow(TypeError)
  })
})

describe('a document', () => {
  it('is returned unchanged, without undefined fields', () => {
    const body = { text: '', metadata: '{}', vector: Float32Array.of(0.1, -0) }
    const item = {
      namespaceId: 'ns_1',
      id: '🦊',
      status: 'processing',
      body,
      indexed: { version: 'v', body },
      stale: ['x'],
      at: null,
    }
    const stored = toStored('items', item)
    expect(stored).toMatchObject({ _id: 'ns_1/\ud7ff01f98a', id: '🦊' })
    expect((stored['body'] as typeof body).vector).toBeInstanceOf(Binary)
    expect(fromStored('items', stored)).toEqual(item)
  })

  it('keeps vectors as little-endian float32, four bytes each', () => {
    const wide = Float32Array.of(9, 1, -2, 9)
    const { body } = toStored('items', {
      namespaceId: 'n',
      id: 'i',
      body: { vector: wide.subarray(1, 3) },
    }) as unknown as {
      body: { vector: Binary }
    }
    expect([...body.vector.value()]).toEqual([0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0])
  })

  it('keeps texts that it is sorted by in an escaped form that preserves their order', () => {
    const namespace = { id: 'ns_1', accountId: 'acc', name: '\u{10000}', state: 'active', open: {} }
    const stored = toStored('namespaces', namespace)
    expect(stored['name']).toBe('\ud7ff010000')
    expect(fromStored('namespaces', stored)).toEqual(namespace)
    expect(filterOf('namespaces', { name: '\u{10000}' })).toEqual({ name: '\ud7ff010000' })
    expect(updateOf('namespaces', { set: { name: '\u{10000}' } })).toEqual({ $set: { name: '\ud7ff010000' } })
  })

  it('accepts fields of any name', () => {
    const open = Object.fromEntries([
      ['__proto__', { overdueAt: 1 }],
      ['constructor', { overdueAt: 2 }],
    ])
    const stored = toStored('namespaces', { id: 'n', accountId: 'a', name: 'n', state: 'active', open })
    expect(Object.keys((fromStored('namespaces', stored) as { open: object }).open)).toEqual([
      '__proto__',
      'constructor',
    ])
  })
})

describe('conditions', () => {
  it("are translated into MongoDB's operators", () => {
    expect(
      filterOf('items', {
        version: 'v',
        'indexed.version': null,
        reason: { ne: null },
        updatedAt: { lte: 5, gt: 1 },
        at: { lt: 3 },
      }),
    ).toEqual({
      version: 'v',
      'indexed.version': null,
      reason: { $ne: null },
      updatedAt: { $lte: 5, $gt: 1 },
      at: { $lt: 3 },
    })
    expect(filterOf('items', { version: {} })).toEqual({})
  })

  it('accept plain values only, so that none becomes an operator', () => {
    const outside = { $gt: '' } as unknown as string
    expect(() => filterOf('items', { version: outside })).toThrow(TypeError)
    expect(() => filterOf('items', { version: { ne: outside } })).toThrow(TypeError)
    expect(() => filterOf('items', { version: { constructor: 'x' } as object })).toThrow(TypeError)
    expect(() => filterOf('items', { version: ['v'] as unknown as string })).toThrow(TypeError)
    expect(() => filterOf('items', { version: undefined as unknown as string })).toThrow(TypeError)
    expect(() => searchOf('items', { namespaceId: 'n', id: outside })).toThrow(TypeError)
  })

  it.each(['$where', 'open.$x', 'open.', '.open', 'a..b', 'a\0'])('are on fields, which %j is not', (path) => {
    expect(() => filterOf('items', { [path]: 1 })).toThrow(TypeError)
    expect(() => updateOf('items', { set: { [path]: 1 } })).toThrow(TypeError)
  })

  it('on the key are conditions on the whole key', () => {
    expect(searchOf('items', { namespaceId: 'ns_1' })).toEqual({ _id: { $gt: 'ns_1/', $lt: 'ns_10' } })
    expect(searchOf('items', { namespaceId: 'ns_1', id: { gt: 'a' } })).toEqual({
      _id: { $gt: 'ns_1/a', $lt: 'ns_10' },
    })
    expect(searchOf('items', { namespaceId: 'ns_1', id: 'a' })).toEqual({ _id: 'ns_1/a' })
    expect(searchOf('accounts', { id: { gt: '🦊' } })).toEqual({ _id: { $gt: '\ud7ff01f98a' } })
    expect(searchOf('uploads', { namespaceId: 'ns_1' })).toEqual({ namespaceId: 'ns_1' })
    expect(searchOf('items', { status: 'processing', updatedAt: { lt: 5 } })).toEqual({
      status: 'processing',
      updatedAt: { $lt: 5 },
    })
    expect(sortOf('items', { namespaceId: 'ns_1' }, ['id'])).toEqual({ _id: 1 })
    expect(sortOf('apiKeys', { accountId: 'a' }, ['id'])).toEqual({ _id: 1 })
    expect(sortOf('items', { status: 'processing' }, ['updatedAt'])).toEqual({ updatedAt: 1 })
  })

  it('on a namespace leave out those whose name begins alike', () => {
    const { _id } = searchOf('items', { namespaceId: 'ns_1' }) as { _id: { $gt: string; $lt: string } }
    const isWithin = (id: string) => byBytes(_id.$gt, id) < 0 && byBytes(id, _id.$lt) < 0
    expect([idOf(['ns_1', ' ']), idOf(['ns_1', '\u{10ffff}'])].map(isWithin)).toEqual([true, true])
    expect([idOf(['ns_10', 'a']), idOf(['ns_1/a', 'a']), idOf(['ns_', '1/a'])].map(isWithin)).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('changes', () => {
  it("are translated into MongoDB's operators", () => {
    expect(
      updateOf('uploads', {
        set: { state: 'queued', lease: null, gone: undefined, body: { vector: Float32Array.of(0) } },
        unset: ['open.t'],
        inc: { leaseSeq: 1 },
        max: { startedAt: 5 },
        push: { ids: ['a', 'b'] },
        pull: { stale: ['v'] },
      }),
    ).toEqual({
      $set: { state: 'queued', lease: null, body: { vector: new Binary(new Uint8Array(4)) } },
      $unset: { gone: '', 'open.t': '' },
      $inc: { leaseSeq: 1 },
      $max: { startedAt: 5 },
      $push: { ids: { $each: ['a', 'b'] } },
      $pullAll: { stale: ['v'] },
    })
  })

  it('are empty if nothing changes', () => {
    expect(updateOf('uploads', { set: {}, inc: {} })).toBeUndefined()
  })
})

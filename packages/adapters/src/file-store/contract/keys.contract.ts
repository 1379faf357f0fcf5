import type { FileStore } from '@cairn/domain/ports/file-store'
import { expect } from 'vitest'
import { bytesOf, keysOf, plain, type Scene, streamOf, textOf } from './store.fixture.ts'

/** Sorts keys by their bytes, like a listing. */
const inByteOrder = (keys: readonly string[]) =>
  keys.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))

// UTF-16 sorts the last two the other way round. Ä occurs composed and decomposed.
const odd = [
  ...[
    '!',
    ' a',
    '#a',
    '%',
    '%20',
    '%2F',
    '&amp;',
    "'quoted'",
    '(a)',
    '*',
    '+',
    '-',
    '.hidden',
    '...',
    '..a',
    '0',
    ';',
    '<a>',
    '=',
    '?a=b',
  ],
  ...[
    '@',
    'A',
    'CON.txt',
    '[a]',
    '_',
    '`',
    'a',
    'a ',
    'a b',
    'a+b',
    'a&b',
    'a=b',
    'a%b',
    'a.',
    'a~',
    'aa',
    '{a}',
    '|',
    '~',
    '"quoted"',
  ],
  ...['\u00a0', 'Ä', 'A\u0308', 'ß', 'я', '日本', '한', '\u200b', '\u2028', '／', '～.txt', '😀.txt'],
]
const long = (bytes: number) =>
  Array.from({ length: Math.ceil(bytes / 200) }, (_, index) => `${index}`.padEnd(199, 'x'))
    .join('/')
    .slice(0, bytes)

const hostile: Readonly<Record<string, string>> = {
  nothing: '',
  'a slash': '/',
  'a dot': '.',
  'two dots': '..',
  'a way up': '../up',
  'a way up in between': 'a/../../up',
  'a way up at the end': 'a/..',
  'a dot in between': 'a/./b',
  'a leading slash': '/etc/passwd',
  'a slash at the end': 'a/',
  'an empty segment': 'a//b',
  'a backslash': 'a\\b',
  'a way up by backslash': '..\\up',
  'a zero': 'a\0b',
  'a line end': 'a\nb',
  'a carriage return': 'a\rb',
  'a DEL': 'a\x7f',
  'a C1 control': 'a\x85',
  'half of a pair': 'a\ud83d',
  'the other half': '\ude00a',
  'U+FFFE': 'a\ufffe',
  'U+FFFF': '\uffff',
  '1,025 bytes': long(1_025),
  '1,026 bytes in fewer characters': `${long(1_000)}${'é'.repeat(13)}`,
}

const callsWith = (store: FileStore, key: string): Readonly<Record<string, () => Promise<unknown>>> => ({
  put: () => store.put(key, Buffer.from('evil'), plain),
  head: () => store.head(key),
  get: () => store.get(key),
  remove: () => store.remove(['kept', key]),
  signPut: () => store.signPut(key, { ...plain, expiresInSeconds: 60 }),
  startMultipart: () => store.startMultipart(key, plain),
  signPart: () => store.signPart(key, 'upload', 1, { expiresInSeconds: 60 }),
  completeMultipart: () => store.completeMultipart(key, 'upload', [{ part: 1, etag: 'e' }]),
  abortMultipart: () => store.abortMultipart(key, 'upload'),
})

/** Contract of keys: which are valid, and how they are listed. */
export const keysContract = ({ of, files, whole }: Scene): void => {
  of('listing', 'lists keys of every kind in the order of their bytes', async () => {
    const store = await files(odd)
    const all = await store.list({ prefix: '', limit: 1_000 })
    expect(keysOf(all)).toEqual(inByteOrder(odd))
    for (const file of all) expect(await textOf(store, file.key)).toBe(file.key)
  })

  of('listing', 'lists the same keys page by page as in one page', async () => {
    const keys = inByteOrder([...odd, ...odd.map((key) => `folder of ${key}/${key}`)])
    const store = await files(keys)
    for (const limit of [1, 7, 20, 1_000]) {
      const paged: string[] = []
      for (let after: string | undefined; ; ) {
        const page = await store.list({ prefix: '', limit, ...(after === undefined ? {} : { after }) })
        expect(page.length).toBeLessThanOrEqual(limit)
        paged.push(...keysOf(page))
        after = page.at(-1)?.key
        if (page.length < limit) break
      }
      expect(paged).toEqual(keys)
    }
  })

  of('listing', 'continues after a missing key', async () => {
    const store = await files(['a', 'c/d', 'c0', 'é', '😀'])
    const after = async (key: string, prefix = '') => keysOf(await store.list({ prefix, after: key, limit: 10 }))
    expect(await after('b')).toEqual(['c/d', 'c0', 'é', '😀'])
    expect(await after('a ')).toEqual(['c/d', 'c0', 'é', '😀'])
    expect(await after('c')).toEqual(['c/d', 'c0', 'é', '😀'])
    expect(await after('c/e')).toEqual(['c0', 'é', '😀'])
    expect(await after('c/d/e/f')).toEqual(['c0', 'é', '😀'])
    expect(await after('～')).toEqual(['😀'])
    expect(await after('😀')).toEqual([])
    expect(await after('a', 'c')).toEqual(['c/d', 'c0'])
    expect(await after('c/d', 'c')).toEqual(['c0'])
    expect(await after('c/d', 'c/')).toEqual([])
    expect(await after('zz', 'c')).toEqual([])
  })

  of('listing', 'lists exactly the keys that begin with the prefix', async () => {
    const beside = ['ab!', 'ab0', 'aB/c', 'a', 'b/ab/c', 'é/1', 'è/1', 'e/1', 'a%b', 'a_b', 'a*']
    const store = await files(['ab/c', 'ab/c d', 'ab/ce/f', ...beside])
    const under = async (prefix: string) => keysOf(await store.list({ prefix, limit: 100 }))
    expect(await under('ab/')).toEqual(['ab/c', 'ab/c d', 'ab/ce/f'])
    expect(await under('ab/c')).toEqual(['ab/c', 'ab/c d', 'ab/ce/f'])
    expect(await under('ab')).toEqual(['ab!', 'ab/c', 'ab/c d', 'ab/ce/f', 'ab0'])
    expect(await under('é')).toEqual(['é/1'])
    expect(await under('a%')).toEqual(['a%b'])
    expect(await under('a_')).toEqual(['a_b'])
    expect(await under('a*')).toEqual(['a*'])
    expect(await under('ab/x')).toEqual([])
    expect(await under('ab/ce/f/')).toEqual([])
  })

  of('listing', 'lists all keys although some sort before a folder with the same beginning', async () => {
    const before = ['a', 'a/b', 'a/b/c'].flatMap((name) =>
      Array.from({ length: 12 }, (_, index) => `${name}-${index}${index % 2 ? '/x' : '.txt'}`),
    )
    const keys = inByteOrder([...before, 'a/b/c/d', 'a/b/c/e', 'a/b/c0', 'a/b/f', 'a/b0/x', 'a/g/h', 'a0/x', 'b'])
    const store = await files(keys)
    for (const [index, after] of keys.entries()) {
      const rest = keys.slice(index + 1)
      expect(keysOf(await store.list({ prefix: '', after, limit: 3 }))).toEqual(rest.slice(0, 3))
      expect(keysOf(await store.list({ prefix: 'a/b', after, limit: 100 }))).toEqual(
        rest.filter((key) => key.startsWith('a/b')),
      )
    }
  })

  of('listing', 'rejects invalid listings', async () => {
    const store = await files()
    for (const limit of [0, 1_001, 1.5, Number.NaN, -1]) {
      await expect(store.list({ prefix: '', limit })).rejects.toMatchObject({ code: 'invalid' })
      await expect(store.openMultiparts({ prefix: '', limit })).rejects.toMatchObject({ code: 'invalid' })
    }
    for (const prefix of ['/', 'a//', '../', 'a/../', 'a\\', 'a\0', '\ud83d', long(1_025)]) {
      await expect(whole().list({ prefix, limit: 10 })).rejects.toMatchObject({ code: 'invalid' })
      await expect(whole().list({ prefix: '', after: prefix, limit: 10 })).rejects.toMatchObject({ code: 'invalid' })
      await expect(whole().openMultiparts({ prefix, limit: 10 })).rejects.toMatchObject({ code: 'invalid' })
    }
  })

  of('listing', 'distinguishes keys that differ only in case or Unicode form', async () => {
    const keys = ['Straße', 'straße', 'STRASSE', '\u00e9', 'e\u0301', 'ﬁ', 'fi']
    const store = await files(keys)
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(inByteOrder(keys))
    for (const key of keys) expect(await textOf(store, key)).toBe(key)
    await store.remove(['\u00e9'])
    expect(await textOf(store, 'e\u0301')).toBe('e\u0301')
  })

  of('nesting', 'holds an object whose key is the folder of another', async () => {
    const store = await files(['a/b/c', 'a', 'a/b'])
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(['a', 'a/b', 'a/b/c'])
    await store.remove(['a/b'])
    for (const key of ['a', 'a/b/c']) expect(await textOf(store, key)).toBe(key)
    expect(await store.head('a/b')).toBeUndefined()
  })

  of('listing', 'accepts a key of 1,024 bytes', async () => {
    const key = long(1_024)
    await whole().put(key, Buffer.from('far'), plain)
    expect(await textOf(whole(), key)).toBe('far')
    expect(keysOf(await whole().list({ prefix: key, limit: 10 }))).toEqual([key])
    await whole().remove([key])
    expect(await whole().head(key)).toBeUndefined()
  })

  of('longSegments', 'accepts segments that are too long for a file system', async () => {
    const keys = ['x'.repeat(900), `${'日本'.repeat(60)}.pdf`, `a/${'y'.repeat(256)}`]
    const store = await files(keys)
    expect(keysOf(await store.list({ prefix: '', limit: 10 }))).toEqual(inByteOrder(keys))
    for (const key of keys) expect(await textOf(store, key)).toBe(key)
  })

  of('hostileKeys', 'rejects invalid keys in every method, and changes nothing', async () => {
    const store = whole()
    await store.put('kept', Buffer.from('kept'), plain)
    const before = keysOf(await store.list({ prefix: '', limit: 1_000 }))
    for (const [name, key] of Object.entries(hostile)) {
      for (const [call, run] of Object.entries(callsWith(store, key))) {
        await expect(run(), `${call} with ${name}`).rejects.toMatchObject({ code: 'invalid' })
      }
    }
    expect(keysOf(await store.list({ prefix: '', limit: 1_000 }))).toEqual(before)
    expect(await textOf(store, 'kept')).toBe('kept')
    await store.remove(['kept'])
  })

  of('hostileKeys', 'destroys a source that it does not read', async () => {
    const store = await files()
    const source = streamOf(bytesOf(1_000))
    await expect(store.put('a/../b', source, plain)).rejects.toMatchObject({ code: 'invalid' })
    expect(source.destroyed).toBe(true)
  })
}

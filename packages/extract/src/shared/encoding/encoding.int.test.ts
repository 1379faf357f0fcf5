import { createMaterial } from '@cairn/testing/material/create-material'
import { encodeAs, encodings } from '@cairn/testing/material/encodings'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { readFile, texts } from '../../read-file.fixture.ts'

const words = (text: string): string => text.replace(/\s+/g, ' ').trim()

describe('a text without a stated encoding', () => {
  it.each(encodings)('is read as $name when it is (mark: $byteOrderMark)', async ({ name, byteOrderMark }) => {
    const { bytes, truth } = await createMaterial('txt', 7, { encoding: name, sentences: 40 })
    const marked = byteOrderMark ? encodeAs(iconv.decode(bytes, name), { name, byteOrderMark, languages: [] }) : bytes
    const read = await readFile('txt', marked)
    const all = words(texts(read).join(' '))
    expect(truth.sentences.map(({ text }) => words(text)).filter((text) => !all.includes(text))).toEqual([])
    expect(all).not.toContain('\uFEFF')
  })

  it.each(['utf-16le', 'utf-16be'])('is read as East Asian %s', async (name) => {
    const text = '日本語の文章です。これは二番目の文です。\n一二三四五、六七八九十。'
    const read = await readFile('txt', iconv.encode(text, name, { addBOM: false }))
    expect(texts(read)).toEqual([text])
    expect(read.notes).toEqual(['encoding_guessed'])
  })

  it('is read as UTF-8 if all of it is valid, however late the first non-ASCII letter comes', async () => {
    const read = await readFile('txt', `${'plain '.repeat(400_000)}\n\nžluťoučký kůň`)
    expect(texts(read).at(-1)).toBe('žluťoučký kůň')
    expect(read.notes).toEqual([])
  })

  it('is read in another encoding if a late letter is not valid UTF-8', async () => {
    const read = await readFile(
      'txt',
      iconv.encode(`${'plain '.repeat(400_000)}\n\nune forêt très épaisse à côté`, 'windows-1252'),
    )
    expect(texts(read).at(-1)).toBe('une forêt très épaisse à côté')
    expect(read.notes).toEqual(['encoding_guessed'])
  })

  it('is read as UTF-8 if it was cut within a character', async () => {
    const read = await readFile('txt', Buffer.from('Příliš žluťoučký kůň úpěl ďábelské ódy — €').subarray(0, -1))
    expect(texts(read)[0]).toContain('žluťoučký kůň úpěl')
    expect(read.notes).toEqual(['bytes_replaced'])
  })

  const price = 'The price is 5 € for a crate of pears, résumé naïve café über größer für.'

  it.each([
    ['a byte that is none', Buffer.concat([Buffer.from(price), Buffer.from([0xff])])],
    [
      'a byte of another encoding',
      Buffer.from(Buffer.from(price).toString('latin1').replace('\xe2\x82\xac', '\x80'), 'latin1'),
    ],
    [
      'a byte of a character lost',
      Buffer.from(Buffer.from(price).toString('latin1').replace('\xc3\xaf', '\xaf'), 'latin1'),
    ],
    ['two bytes lost at the beginning', Buffer.concat([Buffer.from('€').subarray(1), Buffer.from(price)])],
    ['a zero and a byte that is none', Buffer.concat([Buffer.from(`${price}\0`), Buffer.from([0xfe])])],
    ['a byte that is none after a mark', Buffer.concat([Buffer.from(`\uFEFF${price}`), Buffer.from([0xfe])])],
    [
      'a bad byte long before its letters',
      Buffer.concat([Buffer.from([0x96]), Buffer.from(`${' plain'.repeat(60_000)} ${price}`)]),
    ],
    [
      'a bad byte long after its letters',
      Buffer.concat([Buffer.from(`${price}${' plain'.repeat(400_000)} `), Buffer.from([0x96])]),
    ],
  ])('is read as UTF-8 with %s', async (_, bytes) => {
    const read = await readFile('txt', bytes)
    const text = words(texts(read).join(' '))
    expect(text).toContain('für')
    expect(text).toContain('café über größer')
    expect(text).toContain('\ufffd')
    expect(read.notes).toEqual(['bytes_replaced'])
  })

  it.each(['caf\u00e9 €', 'ж', 'naïve 日', 'é🐞'])(
    'is still UTF-8 when the last character of %j is cut',
    async (text) => {
      const bytes = Buffer.from(`${price} ${text}`)
      for (let cut = 1; cut < Buffer.byteLength(text.slice(-1).toWellFormed()); cut++) {
        const read = await readFile('txt', bytes.subarray(0, -cut))
        expect(texts(read).join(' ')).toContain('größer für.')
      }
    },
  )

  it.each([
    ['caf\u00e9', 'windows-1252'],
    ['A irmã', 'windows-1252'],
    ['São Paulo amanhã', 'windows-1252'],
    ['Der Weg ist schön und groß', 'windows-1252'],
  ])(
    'is read in another encoding if it ends with a letter whose byte could begin a UTF-8 character: %s',
    async (text, encoding) => {
      expect(texts(await readFile('txt', iconv.encode(text, encoding)))).toEqual([text])
    },
  )

  it.each(['windows-1252', 'iso-8859-2', 'koi8-r', 'windows-1251', 'euc-kr'])(
    'is the same with zeros and few controls in it: %s',
    async (name) => {
      const { bytes, truth } = await createMaterial('txt', 5, { encoding: name, sentences: 40 })
      const index = bytes.indexOf(0x20, bytes.length / 2)
      const damaged = Buffer.concat([bytes.subarray(0, index), Buffer.from('\0 \x01\x7f'), bytes.subarray(index)])
      const all = words(texts(await readFile('txt', damaged)).join(' '))
      expect(truth.sentences.filter(({ text }) => !all.includes(words(text))).length).toBeLessThanOrEqual(1)
    },
  )

  it.each([
    ['caf\u00e9 ', 0xff],
    ['Gr\u00fc\u00dfe \u2013 ', 0x96],
    ['\u010d', 0xe9],
  ])('is read as UTF-8 if it is short, with one invalid byte: %s', async (text, byte) => {
    const read = await readFile(
      'txt',
      Buffer.concat([Buffer.from(`A ${text}`), Buffer.from([byte]), Buffer.from(' ok')]),
    )
    expect(texts(read)).toEqual([`A ${text}\ufffd ok`])
    expect(read.notes).toEqual(['bytes_replaced'])
  })

  const czech = 'Příliš žluťoučký kůň úpěl ďábelské ódy. V přístavu stojí mnoho lodí.'
  const spanish = '¿Dónde está el puerto? El niño pequeño comió una piña.'
  it.each([
    ['cp852', czech],
    ['cp852', 'Zażółć gęślą jaźń. W porcie stoi dużo łodzi.'],
    ['cp850', 'Der Weg ist schön und groß, die Bäume blühen.'],
    ['cp437', 'Der Weg ist schön und groß, die Bäume blühen.'],
    ['macroman', 'Une forêt très épaisse à côté d’une rivière, où l’été ne finit jamais.'],
    ['macroman', spanish],
    ['cp437', spanish],
    ['cp866', 'В гавани стоит много судов. Сегодня хорошая погода.'],
    ['cp737', 'Στο λιμάνι υπάρχουν πολλά πλοία.'],
    ['cp862', 'בנמל יש הרבה ספינות. היום מזג האוויר נאה.'],
    ['cp850', 'caf\u00e9'],
    ['macroman', 'r\u00e9sum\u00e9'],
    ['windows-1252', 'STRAßE, ÄPFEL, ÜBER, GRÖßE, KÖLN'],
    ['windows-1252', 'Temp 25 °C, 10 m², ½ l'],
    ['windows-1252', 'a word—another, “quoted”—and so on'],
  ])('is read correctly or refused in %s: %s', async (name, text) => {
    const { failure, ...read } = await readFile('txt', iconv.encode(text, name))
    if (failure) expect(failure).toBe('unknown_encoding')
    else expect(texts(read)).toEqual([text])
    if (name.startsWith('windows')) expect(failure).toBeUndefined()
  })

  it('is read in another encoding if its byte order mark is wrong', async () => {
    const text = 'une forêt très épaisse à côté d’une rivière, où l’été ne finit jamais'
    const read = await readFile('txt', Buffer.concat([Buffer.from('\uFEFF'), iconv.encode(text, 'windows-1252')]))
    expect(texts(read)).toEqual([text])
    expect(read.notes).toEqual(['encoding_guessed'])
  })

  it('is read in another encoding however many byte order marks are wrong', async () => {
    const read = await readFile(
      'txt',
      Buffer.concat([Buffer.from('\uFEFF'.repeat(50)), iconv.encode('une forêt très épaisse', 'windows-1252')]),
    )
    expect(texts(read).join(' ')).toContain('une forêt très épaisse')
    expect(read.notes).toEqual(['encoding_guessed'])
  })

  it('is read in the encoding of its byte order mark if one character is invalid', async () => {
    const bytes = Buffer.from('\uFEFFPříliš žluťoučký kůň úpěl ďábelské ódy — €').subarray(0, -1)
    const read = await readFile('txt', bytes)
    expect(texts(read)[0]).toMatch(/^Příliš žluťoučký kůň úpěl/)
    expect(read.notes).toEqual(['bytes_replaced'])
  })

  it('is read if characters of several bytes are split between pieces', async () => {
    const line = 'x日本語😀'
    const read = await readFile('txt', `${line.repeat(9000)}`)
    expect(texts(read).join('')).toBe(line.repeat(9000))
  })
})

it('notes unpaired surrogates', async () => {
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('The harbor \ud800 is open\ud800.', 'utf16le')])
  expect((await readFile('txt', bytes)).notes).toEqual(['bytes_replaced'])
})

it('reads a text of which one line is in another encoding', async () => {
  const lines = Array.from({ length: 12 }, (_, index) => `Dzielny książę śpiewa cień drzewa ${index}.`)
  const bytes = (text: string, encoding: string) => iconv.encode(`${text}\n`, encoding)
  const [before, after] = [lines.slice(0, 5), lines.slice(5)].map((some) => bytes(some.join('\n'), 'windows-1250'))
  for (const other of ['koi8-r', 'gb18030', 'utf-8']) {
    const whole = Buffer.concat([before as Buffer, bytes('Слово слово слово', other), after as Buffer])
    const read = await readFile('txt', whole)
    expect(texts(read).join('\n')).toContain(lines[7])
    expect(read.notes).toContain('encoding_guessed')
  }
})

it('refuses EBCDIC, and does not guess a DOS code page for it', async () => {
  // Three rows of names, cities and ports in code page 500.
  const bytes =
    '958194856b8389a3a86b979699a325c195956bd989a58599a396956bf4f7f1f125c296826bd3819285a28984856bf1f2f3f425c389846bc889' +
    '9393a396976bf9f8f7f6'
  expect((await readFile('csv', Buffer.from(bytes, 'hex'))).failure).toBe('unknown_encoding')
})

it('reads ASCII with few bytes that fit no encoding, and notes them', async () => {
  const text = 'A travelling doctor remembers fresh bread. '.repeat(20)
  const damaged = Buffer.concat([Buffer.from(`${text}A travell`), Buffer.from([0xc0, 0xaf]), Buffer.from('ing doctor')])
  const read = await readFile('txt', damaged)
  expect(texts(read).join(' ')).toContain('A travell\ufffd\ufffding doctor')
  expect(read.notes).toEqual(['encoding_guessed', 'bytes_replaced'])
  expect((await readFile('txt', damaged.subarray(-40))).failure).toBe('unknown_encoding')
})

it('prefers the requested encoding to any guess', async () => {
  const read = await readFile('txt', iconv.encode('Слово', 'koi8-r'), { encoding: 'KOI8-R' })
  expect(texts(read)).toEqual(['Слово'])
  expect(read.notes).toEqual([])
})

it('removes the byte order mark if the requested encoding is the marked one', async () => {
  const read = await readFile('txt', '\uFEFFText', { encoding: 'utf8' })
  expect(texts(read)).toEqual(['Text'])
})

it('rejects an unknown encoding as an invalid request', async () => {
  await expect(readFile('txt', 'text', { encoding: 'klingon-1' })).rejects.toMatchObject({
    name: 'AppError',
    code: 'invalid',
  })
})

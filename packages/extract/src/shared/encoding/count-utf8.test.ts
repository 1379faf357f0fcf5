import { createMaterial } from '@cairn/testing/material/create-material'
import { encodings } from '@cairn/testing/material/encodings'
import { seededRandom } from '@cairn/testing/seeded-random'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { countUtf8, isNearlyUtf8 } from './count-utf8.ts'

const count = (hex: string) => countUtf8(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

describe('countUtf8', () => {
  it.each([
    ['61 62', 0, 0],
    ['c3 a9', 1, 0],
    ['e2 82 ac f0 9f 90 9e', 2, 0],
    ['80', 0, 1],
    ['c3', 0, 1],
    ['e2 82', 0, 1],
    ['e2 82 61', 0, 1],
    ['c3 61 c3 a9', 1, 1],
    ['c0 af', 0, 2],
    ['e0 80 80', 0, 3],
    ['ed a0 80', 0, 3],
    ['f4 90 80 80', 0, 4],
    ['ff fe', 0, 2],
  ])('of %s', (hex, whole, broken) => {
    expect(count(hex)).toEqual({ whole, broken })
  })

  it('agrees with the decoder for any bytes', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = seededRandom(seed)
      const text = Buffer.from('añ日🐞ж'.repeat(20))
      for (let times = 0; times < 5; times++) text[random.below(text.length)] = random.below(256)
      const decoded = new TextDecoder().decode(text)
      const broken = decoded.split('\ufffd').length - 1
      expect(countUtf8(text)).toEqual({ whole: (decoded.match(/\P{ASCII}/gu)?.length ?? 0) - broken, broken })
    }
  })
})

describe('isNearlyUtf8', () => {
  it.each([
    [0, 0, false],
    [0, 1, false],
    [1, 0, true],
    [1, 1, false],
    [2, 1, true],
    [3, 2, false],
    [4, 2, true],
  ])('%i whole and %i broken: %s', (whole, broken, expected) => {
    expect(isNearlyUtf8({ whole, broken })).toBe(expected)
  })

  const legacy = encodings.filter(({ name }) => !name.startsWith('utf'))
  const more: readonly (readonly [name: string, text: string])[] = [
    ['windows-874', 'ท่าเรือปิดในฤดูหนาวเพราะน้ำแข็งมาก เรือลำแรกมาถึงในเดือนมีนาคม ชาวประมงออกทะเลแต่เช้ามืด '],
    ['iso-8859-5', 'СТАТЬЯ ПЕРВАЯ. ОБЩИЕ ПОЛОЖЕНИЯ И УСЛОВИЯ ДОГОВОРА ПОСТАВКИ ТОВАРОВ. '],
    ['cp866', 'Порт был закрыт зимой, потому что лёд доходил до маяка. СТАТЬЯ ПЕРВАЯ. '],
    ['koi8-u', 'Порт був закритий взимку, бо лід сягав маяка. Єдиний корабель прибув у березні. '],
    ['cp852', 'Příliš žluťoučký kůň úpěl ďábelské ódy. '],
    ['windows-1258', 'Cang bi dóng cua vào mùa dông vì bang kéo dài dên ngon hai dang. '],
    ['macroman', 'La forêt très épaisse à côté d’une rivière, où l’été ne finit jamais. '],
  ]

  it('is false for 25 bytes and more of any other encoding', async () => {
    const random = seededRandom(1)
    const texts: (readonly [name: string, bytes: Buffer])[] = more.map(([name, text]) => [
      name,
      iconv.encode(text.repeat(20), name),
    ])
    for (const { name } of legacy)
      for (let seed = 1; seed <= 6; seed++)
        texts.push([name, (await createMaterial('txt', seed, { encoding: name, sentences: 40 })).bytes])
    for (const [name, bytes] of texts) {
      for (let times = 0; times < 200; times++) {
        const length = 25 + random.below(times % 2 ? 30 : 1_000)
        const from = random.below(Math.max(1, bytes.length - length))
        const counted = countUtf8(bytes.subarray(from, from + length))
        if (counted.broken > 0) expect([name, isNearlyUtf8(counted)]).toEqual([name, false])
      }
    }
  })

  it('is true for UTF-8 in which a byte of each five characters is damaged', async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = seededRandom(seed)
      const { bytes } = await createMaterial('txt', seed, { encoding: 'utf-8', sentences: 20 })
      const high = [...bytes.keys()].filter((index) => (bytes[index] as number) >= 0xc0)
      for (const index of random.shuffle(high).slice(0, high.length / 5))
        bytes[index] = random.pick([0x80, 0xff, 0xe9, 0x41])
      expect(high.length === 0 || isNearlyUtf8(countUtf8(bytes))).toBe(true)
    }
  })
})

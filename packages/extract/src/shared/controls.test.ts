import { seededRandom } from '@cairn/testing/seeded-random'
import { describe, expect, it } from 'vitest'
import { plainBytes } from './controls.ts'

const plain = (text: string): string | undefined => plainBytes(Buffer.from(text, 'latin1'))?.toString('latin1')

describe('plainBytes', () => {
  it.each([
    ['Plain text\r\n\twith tabs\f', 'Plain text\r\n\twith tabs\f'],
    ['one\0two', 'onetwo'],
    ['\x7fa', 'a'],
    ['a\x01\x02\x03', 'a'],
    [`${'x'.repeat(95)}${'\x01\x02\x03\x04\x05'}`, 'x'.repeat(95)],
    [`log\n${'\0'.repeat(60_000)}log`, 'log\nlog'],
    ['8=FIX\x019=65\x0135=A\x01', '8=FIX9=6535=A'],
    ['\x1b$B$"\x1b(B', '\x1b$B$"\x1b(B'],
    ['', ''],
  ])('removes NUL and a few control characters from text: %j', (text, expected) => {
    expect(plain(text)).toBe(expected)
  })

  it.each([
    ['only zeros', '\0\0\0'],
    ['only controls', '\x01'],
    ['four kinds in 79 bytes', `${'x'.repeat(75)}${'\x01\x02\x03\x04'}`],
    ['one kind in every second byte', 'a\x01b\x01c\x01d\x01'],
  ])('detects binary data: %s', (_, text) => {
    expect(plain(text)).toBeUndefined()
  })

  it('detects 100 bytes and more of noise as binary data', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const random = seededRandom(seed)
      const noise = Buffer.from(Array.from({ length: 100 + random.below(2_000) }, () => random.below(256)))
      const found = plainBytes(noise)
      if (noise.length >= 200) expect(found).toBeUndefined()
    }
  })
})

import { expect, it } from 'vitest'
import { chunkIdBase } from './chunk-id-base.ts'

it.each([1, 479, 480])('is the name itself up to 480 bytes (%i)', (bytes) => {
  const name = 'x'.repeat(bytes)
  expect(chunkIdBase(name)).toBe(name)
})

it('is the beginning of a longer name and a digest of all of it', () => {
  const name = 'x'.repeat(481)
  expect(chunkIdBase(name)).toMatch(/^x{400}~[\da-f]{16}$/)
  expect(chunkIdBase(`${name}y`)).not.toBe(chunkIdBase(`${name}z`))
  expect(chunkIdBase(`${name}y`)).toBe(chunkIdBase(`${name}y`))
})

it.each(['é', '文', '😀'])('cuts no character: %s', (character) => {
  for (const shift of ['', 'a', 'ab', 'abc']) {
    const base = chunkIdBase(shift + character.repeat(300))
    expect(base).toMatch(new RegExp(`^${shift}(${character})+~[\\da-f]{16}$`, 'u'))
    expect(Buffer.byteLength(base.split('~')[0] ?? '')).toBeGreaterThan(396)
    expect(Buffer.byteLength(base)).toBeLessThanOrEqual(417)
  }
})

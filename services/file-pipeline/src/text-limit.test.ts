import { limits } from '@cairn/contracts/limits'
import { expect, it } from 'vitest'
import { charactersPerByte, freeCharacters, maxCharacters, textLimit } from './text-limit.ts'

it.each([
  ['a small file has what any file may have', 1, freeCharacters],
  ['so has one at the edge', freeCharacters / charactersPerByte, freeCharacters],
  [
    'a larger one has a multiple of its bytes',
    freeCharacters / charactersPerByte + 1,
    freeCharacters + charactersPerByte,
  ],
  ['the largest has the most there is', limits.fileBytes, maxCharacters],
])('%s', (_, sizeBytes, expected) => {
  expect(textLimit(sizeBytes)).toBe(expected)
})

it('leaves the largest file of plain text more than it has', () => {
  expect(textLimit(limits.fileBytes)).toBeGreaterThan(3 * limits.fileBytes)
})

import fc from 'fast-check'
import { expect } from 'vitest'
import type { openTokens } from './tokens.ts'

/**
 * Expects the ids of the library, and one start each, ascending, for texts of these characters and for any others.
 * `libraryIds`: ids without special tokens.
 */
export const expectTokensOfLibrary = (
  tokens: Pick<ReturnType<typeof openTokens>, 'ids' | 'starts'>,
  libraryIds: (text: string) => number[],
  { alphabet, numRuns }: { readonly alphabet: readonly string[]; readonly numRuns: number },
): void => {
  const text = fc.oneof(fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 60 }), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(text, (any) => {
      const ids = libraryIds(any)
      const starts = [...tokens.starts(any)]
      expect(tokens.ids(any, Number.POSITIVE_INFINITY)).toEqual(ids)
      expect(starts).toHaveLength(ids.length)
      expect(starts.every((start, index) => start < any.length && start >= (starts[index - 1] ?? 0))).toBe(true)
    }),
    { numRuns, seed: 7 },
  )
}

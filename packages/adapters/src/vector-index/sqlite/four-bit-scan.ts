import { createKernel, gather, kernelsBy, local, unsigned, valueType } from './kernel.ts'

const simd = (opcode: number, ...immediate: number[]): number[] => [0xfd, ...unsigned(opcode), ...immediate]
const v128Load = (offset: number) => simd(0x00, 4, ...unsigned(offset))
const splat = simd(0x0f)
const and = simd(0x4e)
const shiftRight = simd(0x6d)
const extendLow = simd(0x89)
const extendHigh = simd(0x8a)
const add = simd(0xae)
const dotPairs = simd(0xba)
const lane = (index: number) => simd(0x1b, index)
const [localGet, localSet, localTee, i32Const, i32Add] = [0x20, 0x21, 0x22, 0x41, 0x6a]

/**
 * A block of 16 bytes holds 32 numbers of 4 bits: the low halves of its bytes, then the high halves. The query has 16
 * bits per number, in the same order. The result is Σ number · query.
 */
const bodyOf = (blocks: number): number[] => {
  const [sum, block] = [local.first, local.second]
  const halves = [
    [...[localGet, block, i32Const, 15], ...splat, ...and],
    [localGet, block, i32Const, 4, ...shiftRight],
  ]
  const blockSum = (i: number) => [
    ...[localGet, local.code, ...v128Load(i * 16), localSet, block],
    ...halves.flatMap((half, h) =>
      [extendLow, extendHigh].flatMap((extend, part) => [
        ...[...half, ...extend],
        ...[i32Const, 0, ...v128Load(i * 64 + h * 32 + part * 16), ...dotPairs],
        ...(i + h + part === 0 ? [] : add),
      ]),
    ),
  ]
  const sums = Array.from({ length: blocks }, (_, i) => blockSum(i)).flat()
  const lanes = [1, 2, 3].flatMap((index) => [localGet, sum, ...lane(index), i32Add])
  return [...sums, localTee, sum, ...lane(0), ...lanes]
}

const { v128 } = valueType
const kernelOf = kernelsBy((words) =>
  createKernel({ codeWords: words, queryBytes: words * 16, locals: [v128, v128], body: bodyOf(words / 4) }),
)

export const placeOfFourBits = (i: number): { readonly byte: number; readonly shift: number } => ({
  byte: (i >> 5) * 16 + (i & 15),
  shift: (i & 16) === 0 ? 0 : 4,
})

/**
 * Codes have `words` 32-bit words, a multiple of 4; the query has 8 · `words` numbers of 16 bits. Writes Σ number ·
 * query of each code to `into`. Measured at 384 dimensions: 115 ns a code.
 */
export const scanFourBits = (
  codes: Int32Array,
  query: Int16Array,
  { words, slots }: { readonly words: number; readonly slots: Uint32Array },
  into: Int32Array,
): void => {
  const kernel = kernelOf(words)
  new Int16Array(kernel.query, 0, query.length).set(query)
  for (let index = 0; index < slots.length; index += kernel.codesPerBlock) {
    const some = slots.subarray(index, index + kernel.codesPerBlock)
    gather(kernel, codes, words, some)
    into.set(kernel.run(some.length), index)
  }
}

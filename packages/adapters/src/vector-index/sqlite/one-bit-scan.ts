import { createKernel, gather, kernelsBy, local, unsigned } from './kernel.ts'

const i64 = { load: 0x29, popcnt: 0x7b, add: 0x7c, sub: 0x7d, and: 0x83, shl: 0x86, const: 0x42, mul: 0x7e }
const [localGet, i32Const, i32WrapI64] = [0x20, 0x41, 0xa7]

/** Per number of a query. */
export const queryBits = 4

/**
 * The query is stored in planes: plane j holds bit j of each number. With `count` = Σ_j 2^j · popcount(code & plane j),
 * the result of a code is 2 · count − 15 · popcount(code): twice the sum of (number − 7.5) over the bits that are set.
 */
const bodyOf = (longs: number): number[] => {
  const codeLong = (i: number) => [localGet, local.code, i64.load, 3, ...unsigned(i * 8)]
  const planeLong = (plane: number, i: number) => [i32Const, 0, i64.load, 3, ...unsigned((plane * longs + i) * 8)]
  const sum = (part: (i: number) => number[]) =>
    Array.from({ length: longs }, (_, i) => [...part(i), i64.popcnt, ...(i === 0 ? [] : [i64.add])]).flat()
  const planes = Array.from({ length: queryBits }, (_, plane) => [
    ...sum((i) => [...codeLong(i), ...planeLong(plane, i), i64.and]),
    ...[i64.const, plane + 1, i64.shl],
    ...(plane === 0 ? [] : [i64.add]),
  ]).flat()
  return [...planes, ...sum(codeLong), i64.const, 15, i64.mul, i64.sub, i32WrapI64]
}

const kernelOf = kernelsBy((words) =>
  createKernel({
    codeWords: words,
    queryBytes: queryBits * words * 4,
    locals: [],
    body: bodyOf(words / 2),
  }),
)

/** Positions `from` to `to` of `slots`, or slots `from` to `to` without `slots`. */
export type ScanRange = { readonly slots?: Uint32Array | undefined; readonly from: number; readonly to: number }

/**
 * Codes have `words` 32-bit words, an even number. `visit` gets the results of each block, and the position of the
 * first. Measured at 384 dimensions: 15 ns a code.
 */
export const scanOneBit = (
  bits: Int32Array,
  planes: Int32Array,
  { words, slots, from, to }: ScanRange & { readonly words: number },
  visit: (results: Int32Array, at: number) => void,
): void => {
  const kernel = kernelOf(words)
  new Int32Array(kernel.query, 0, planes.length).set(planes)
  for (let index = from; index < to; index += kernel.codesPerBlock) {
    const count = Math.min(kernel.codesPerBlock, to - index)
    if (slots) gather(kernel, bits, words, slots.subarray(index, index + count))
    else kernel.codes.set(bits.subarray(index * words, (index + count) * words))
    visit(kernel.run(count), index)
  }
}

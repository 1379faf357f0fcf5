/**
 * A WebAssembly function that compares a query with many codes, using instructions that JavaScript lacks (popcount,
 * 128-bit vectors). It is assembled for codes of one length, so that it has no inner loop.
 *
 *     (func (export "run") (param $code i32) (param $end i32) (param $out i32) (local …)
 *       (loop $next
 *         (i32.store (local.get $out) <body>)
 *         (local.set $code (i32.add (local.get $code) (i32.const codeBytes)))
 *         (local.set $out (i32.add (local.get $out) (i32.const 4)))
 *         (br_if $next (i32.lt_u (local.get $code) (local.get $end)))))
 *
 * The query is at address 0 of the memory. Codes are copied there in blocks that fit into the processor's cache, so
 * that the codes can be stored in ordinary arrays: each WebAssembly memory would reserve gigabytes of address space.
 */
export type Kernel = {
  readonly query: ArrayBuffer
  /** Words of all codes of a block, code by code. */
  readonly codes: Int32Array
  readonly codesPerBlock: number
  /** Compares the first `count` codes of the block. Returns one number per code, valid until the next call. */
  readonly run: (count: number) => Int32Array
}

/** Its types belong to the DOM library. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> }
}

export const valueType = { i32: 0x7f, v128: 0x7b }
export const local = { code: 0, end: 1, out: 2, first: 3, second: 4 }

const op = {
  loop: 0x03,
  end: 0x0b,
  brIf: 0x0d,
  localGet: 0x20,
  localSet: 0x21,
  i32Store: 0x36,
  i32Const: 0x41,
  i32LtU: 0x49,
  i32Add: 0x6a,
}
const [noResult, memory] = [0x40, 0x02]

/** LEB128: seven bits per byte, low bits first. Bit 6 of the last byte of a signed number is its sign. */
export const unsigned = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
const signed = (value: number): number[] => (value < 64 ? [value] : [(value & 127) | 128, ...signed(value >>> 7)])
const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes]
const section = (id: number, ...entries: readonly number[][]): number[] => [
  id,
  ...sized([...unsigned(entries.length), ...entries.flat()]),
]
const text = (value: string): number[] => sized([...Buffer.from(value)])

const advance = (name: number, bytes: number): number[] => [
  ...[op.localGet, name, op.i32Const, ...signed(bytes), op.i32Add],
  ...[op.localSet, name],
]

/** `body` leaves an i32 on the stack; `locals` are the types of the locals from `local.first` on. */
const assemble = (codeBytes: number, locals: readonly number[], body: readonly number[]): Uint8Array<ArrayBuffer> => {
  const { i32 } = valueType
  const again = [op.localGet, local.code, op.localGet, local.end, op.i32LtU, op.brIf, 0]
  const store = [op.localGet, local.out, ...body, op.i32Store, 2, 0]
  const loop = [op.loop, noResult, ...store, ...advance(local.code, codeBytes), ...advance(local.out, 4), ...again]
  const declared = [...unsigned(locals.length), ...locals.flatMap((type) => [1, type])]
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [0x60, 3, i32, i32, i32, 0]),
    ...section(2, [...text('js'), ...text('memory'), memory, 0, 1]),
    ...section(3, [0]),
    ...section(7, [...text('run'), 0, 0]),
    ...section(10, sized([...declared, ...loop, op.end, op.end])),
  ])
}

const pageBytes = 65_536
const blockBytes = 4 * pageBytes

export const createKernel = ({
  codeWords,
  queryBytes,
  locals,
  body,
}: {
  readonly codeWords: number
  readonly queryBytes: number
  readonly locals: readonly number[]
  readonly body: readonly number[]
}): Kernel => {
  const codeBytes = codeWords * 4
  const codesPerBlock = Math.floor(blockBytes / codeBytes)
  const codesAt = Math.ceil(queryBytes / 16) * 16
  const outAt = codesAt + blockBytes
  const initial = Math.ceil((outAt + codesPerBlock * 4) / pageBytes)
  const held = new WebAssembly.Memory({ initial })
  const { buffer } = held
  const compiled = new WebAssembly.Module(assemble(codeBytes, locals, body))
  const { exports } = new WebAssembly.Instance(compiled, { js: { memory: held } })
  const run = exports['run'] as (code: number, end: number, out: number) => void
  const results = new Int32Array(buffer, outAt, codesPerBlock)
  return {
    query: buffer,
    codes: new Int32Array(buffer, codesAt, codesPerBlock * codeWords),
    codesPerBlock,
    run: (count) => {
      if (count > 0) run(codesAt, codesAt + count * codeBytes, outAt)
      return results.subarray(0, count)
    },
  }
}

/** Codes have `words` words each; all must fit into the block. */
export const gather = ({ codes }: Kernel, from: Int32Array, words: number, slots: Uint32Array): void => {
  // For codes this short, a loop is faster than `set` with `subarray`.
  for (let i = 0, to = 0; i < slots.length; i++) {
    const start = slots[i]! * words
    for (let word = 0; word < words; word++) codes[to++] = from[start + word]!
  }
}

export const kernelsBy = (create: (words: number) => Kernel): ((words: number) => Kernel) => {
  const created = new Map<number, Kernel>()
  return (words) => {
    const kernel = created.get(words) ?? create(words)
    created.set(words, kernel)
    return kernel
  }
}

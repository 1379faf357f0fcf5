import type { Mutations, Subject } from './mutation.ts'

/** Returns a random range of the file, from 1 byte to a quarter of the file. */
const stretchOf = ({ bytes, random }: Subject): { readonly from: number; readonly to: number } => {
  const from = random.below(Math.max(1, bytes.length - 1))
  return { from, to: Math.min(bytes.length, from + 1 + random.below(Math.max(1, bytes.length >> 2))) }
}

const randomBytes = ({ random }: Subject, count: number): Buffer =>
  Buffer.from(Array.from({ length: count }, () => random.below(256)))

/** Damage that files of all types can have. */
export const byteMutations: Mutations = {
  empty: () => Buffer.alloc(0),
  truncated: ({ bytes, random }) => bytes.subarray(0, random.below(bytes.length)),
  'truncated-by-a-little': ({ bytes, random }) => bytes.subarray(0, Math.max(0, bytes.length - 1 - random.below(64))),
  beheaded: ({ bytes, random }) => bytes.subarray(1 + random.below(Math.min(2_000, bytes.length - 1))),
  'one-bit': ({ bytes, random }) => {
    const copy = Buffer.from(bytes)
    const index = random.below(copy.length)
    copy[index] = (copy[index] as number) ^ (1 << random.below(8))
    return copy
  },
  'many-bits': ({ bytes, random }) => {
    const copy = Buffer.from(bytes)
    for (let times = 2 + random.below(200); times > 0; times -= 1) {
      const index = random.below(copy.length)
      copy[index] = (copy[index] as number) ^ (1 << random.below(8))
    }
    return copy
  },
  zeroed: (subject) => {
    const { from, to } = stretchOf(subject)
    return Buffer.from(subject.bytes).fill(0, from, to)
  },
  noise: (subject) => {
    const { from, to } = stretchOf(subject)
    const copy = Buffer.from(subject.bytes)
    randomBytes(subject, Math.min(4_000, to - from)).copy(copy, from)
    return copy
  },
  doubled: (subject) => {
    const { from, to } = stretchOf(subject)
    const { bytes } = subject
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
  },
  swapped: (subject) => {
    const { bytes, random } = subject
    const [first = 0, second = 0, third = 0] = [0, 0, 0]
      .map(() => random.below(bytes.length))
      .toSorted((left, right) => left - right)
    return Buffer.concat([
      bytes.subarray(0, first),
      bytes.subarray(second, third),
      bytes.subarray(first, second),
      bytes.subarray(third),
    ])
  },
  inserted: (subject) => {
    const { from } = stretchOf(subject)
    const { bytes } = subject
    return Buffer.concat([
      bytes.subarray(0, from),
      randomBytes(subject, 1 + subject.random.below(500)),
      bytes.subarray(from),
    ])
  },
  appended: (subject) => Buffer.concat([subject.bytes, randomBytes(subject, 1 + subject.random.below(2_000))]),
  'twice-over': ({ bytes }) => Buffer.concat([bytes, bytes]),
  'only-noise': (subject) => randomBytes(subject, 1 + subject.random.below(5_000)),
  'only-zeros': ({ random }) => Buffer.alloc(1 + random.below(100_000)),
  'a-program': (subject) =>
    Buffer.concat([Buffer.from('MZ\x90\x00\x03\x00\x00\x00', 'latin1'), randomBytes(subject, 2_000)]),
  'a-picture': (subject) =>
    Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), randomBytes(subject, 2_000)]),
  'a-web-page': ({ canaryUrl }) =>
    Buffer.from(
      `<!DOCTYPE html><html><head><title>x</title><script src="${canaryUrl}"></script></head><body><img src="${canaryUrl}">x</body></html>`,
    ),
}

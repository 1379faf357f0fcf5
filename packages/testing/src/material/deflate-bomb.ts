import { constants, deflateRawSync } from 'node:zlib'

export type Bomb = {
  readonly opening?: string
  /** Repeated content, a million bytes at a time. */
  readonly unit: string | Buffer
  readonly closing?: string
  /** Total bytes of all repetitions, rounded to millions. */
  readonly size: number
}

const mega = 1_000_000
const base = 65_521

type Sum = { readonly low: number; readonly high: number; readonly length: number }

const sumOf = (bytes: Buffer): Sum => {
  let low = 1
  let high = 0
  for (const byte of bytes) {
    low = (low + byte) % base
    high = (high + low) % base
  }
  return { low, high, length: bytes.length }
}

/** Returns the checksum of two consecutive ranges from their checksums. */
const follow = (first: Sum, second: Sum): Sum => ({
  low: (first.low + second.low - 1 + base) % base,
  high: (first.high + second.high + second.length * (first.low - 1 + base)) % base,
  length: first.length + second.length,
})

const unitOf = ({ unit }: Bomb): Buffer => Buffer.alloc(mega, unit)
export const bombSize = ({ opening = '', closing = '', size }: Bomb): number =>
  opening.length + Math.max(1, Math.round(size / mega)) * mega + closing.length

/**
 * Returns deflate data that expands to the given size: 1 KB per million bytes, created without holding the expanded
 * data in memory.
 */
export const deflateBomb = (bomb: Bomb): Buffer => {
  const part = (content: string | Buffer) => deflateRawSync(content, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const repeated = part(unitOf(bomb))
  const times = Math.max(1, Math.round(bomb.size / mega))
  return Buffer.concat([
    part(bomb.opening ?? ''),
    ...Array.from({ length: times }, () => repeated),
    deflateRawSync(bomb.closing ?? ''),
  ])
}

/** Returns the data of `deflateBomb` in zlib's format with a correct checksum, as PDF requires. */
export const zlibBomb = (bomb: Bomb): Buffer => {
  const unit = sumOf(unitOf(bomb))
  let sum = sumOf(Buffer.from(bomb.opening ?? ''))
  for (let times = Math.max(1, Math.round(bomb.size / mega)); times > 0; times -= 1) sum = follow(sum, unit)
  sum = follow(sum, sumOf(Buffer.from(bomb.closing ?? '')))
  const end = Buffer.alloc(4)
  end.writeUInt16BE(sum.high, 0)
  end.writeUInt16BE(sum.low, 2)
  return Buffer.concat([Buffer.from([0x78, 0xda]), deflateBomb(bomb), end])
}

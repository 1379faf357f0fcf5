import { randomFillSync } from 'node:crypto'

/** Makes names that are never made twice. Handed in, so that a simulation can repeat a run. */
export type Ids = { next(prefix: string): string }

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const chanceBytes = 16
/** Drawn for many ids at once: a draw costs more than an id. */
const drawBytes = 256 * chanceBytes

/** `prefix_` + 10 characters of time + 16 of chance: sorts by time of making, safe as a field name and in a path. */
export const randomIds = (now: () => number): Ids => {
  const drawn = Buffer.alloc(drawBytes)
  let used = drawBytes
  const chance = (): Buffer => {
    if (used === drawBytes) {
      randomFillSync(drawn)
      used = 0
    }
    used += chanceBytes
    return drawn.subarray(used - chanceBytes, used)
  }
  const next = (prefix: string) => {
    let time = Math.floor(now())
    let text = ''
    for (let index = 0; index < 10; index += 1) {
      text = alphabet[time % 32] + text
      time = Math.floor(time / 32)
    }
    for (const byte of chance()) text += alphabet[byte % 32]
    return `${prefix}_${text}`
  }
  return { next }
}

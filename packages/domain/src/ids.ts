import { randomFillSync } from 'node:crypto'

/** Never repeats a name. A dependency, so that the simulator can repeat a run. */
export type Ids = { next(prefix: string): string }

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const chanceBytes = 16
/** Random bytes are drawn for many ids at once: a draw costs more than an id. */
const drawBytes = 256 * chanceBytes

/** Creates ids of `prefix_`, 10 characters of time and 16 random: sorted by time, safe in field names and paths. */
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

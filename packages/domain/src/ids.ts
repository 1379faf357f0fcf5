import { randomFillSync } from 'node:crypto'

/** Creates names that are never repeated. A parameter, so that the simulator can repeat a run. */
export type Ids = { next(prefix: string): string }

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const chanceBytes = 16
/** Random bytes for many ids: one call costs more than one id. */
const drawBytes = 256 * chanceBytes

/** `prefix_`, 10 characters of time and 16 random ones: sorts by creation time, safe as a field name and in a path. */
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

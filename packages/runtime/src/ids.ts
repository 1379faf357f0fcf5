import { randomBytes } from 'node:crypto'

/** Makes names that are never made twice. Handed in, so that a simulation can repeat a run. */
export type Ids = { next(prefix: string): string }

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** `prefix_` + 10 characters of time + 16 of chance: sorts by time of making, safe as a field name and in a path. */
export const randomIds = (now: () => number): Ids => ({
  next: (prefix) => {
    let time = Math.floor(now())
    let text = ''
    for (let index = 0; index < 10; index += 1) {
      text = alphabet[time % 32] + text
      time = Math.floor(time / 32)
    }
    for (const byte of randomBytes(16)) text += alphabet[byte % 32]
    return `${prefix}_${text}`
  },
})

import { limits } from './limits.ts'
import { utf8Length } from './text/text.ts'

/** `requirement` completes the sentence "<field> …". */
export type IdCheck = { readonly ok: true; readonly id: string } | { readonly ok: false; readonly requirement: string }

const control = /\p{Cc}/u
/** JavaScript prints an exponent from here on; from the safe integers to here, digits may differ from those sent. */
const firstExponent = 1e21

const refuse = (requirement: string): IdCheck => ({ ok: false, requirement })

const fromNumber = (value: number): IdCheck => {
  if (!Number.isFinite(value)) return refuse('must be a finite number')
  const size = Math.abs(value)
  if (size > Number.MAX_SAFE_INTEGER && size < firstExponent)
    return refuse('must be an integer within ±(2^53−1), since a larger one loses digits; send it as a string')
  return { ok: true, id: String(value) }
}

const tooLong = `must be at most ${limits.idBytes} bytes of UTF-8`

/** Returns numbers as their JavaScript text (`1` and `"1"` are one id, `-0` is `"0"`), strings unchanged. */
export const normaliseId = (value: unknown): IdCheck => {
  if (typeof value === 'number') return fromNumber(value)
  if (typeof value !== 'string' || value === '') return refuse('must be a non-empty string or a number')
  if (value.length > limits.idBytes) return refuse(tooLong)
  if (!value.isWellFormed()) return refuse('must be well-formed Unicode, without lone surrogates')
  if (control.test(value)) return refuse('must not contain control characters')
  return value.length * 3 > limits.idBytes && utf8Length(value) > limits.idBytes
    ? refuse(tooLong)
    : { ok: true, id: value }
}

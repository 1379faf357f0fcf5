import { AppError } from '@cairn/contracts/errors'
import type { Input } from './command.ts'

/** Accepts whole numbers from 1 to `max`. */
export const numberOf = (input: Input, option: string, max = Number.POSITIVE_INFINITY): number | undefined => {
  const text = input.text(option)
  if (text === undefined) return undefined
  if (/^[1-9]\d*$/.test(text) && Number(text) <= max) return Number(text)
  const rule = Number.isFinite(max) ? `a whole number from 1 to ${max}` : 'a positive number'
  throw new AppError('invalid', `--${option} must be ${rule}, not ${text}`)
}

import { AppError } from '@cairn/contracts/errors'
import type { Input } from './command.ts'

/** Returns the value of an option that must be a whole number of at least 1. */
export const numberOf = (input: Input, option: string): number | undefined => {
  const text = input.text(option)
  if (text !== undefined && !/^[1-9]\d*$/.test(text))
    throw new AppError('invalid', `--${option} must be a positive number, not ${text}`)
  return text === undefined ? undefined : Number(text)
}

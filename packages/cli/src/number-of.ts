import { AppError } from '@cairn/contracts/errors'
import type { Input } from './command.ts'

/** Returns the value of an option that is a whole number from 1 on. */
export const numberOf = (input: Input, option: string): number | undefined => {
  const text = input.text(option)
  if (text !== undefined && !/^[1-9]\d*$/.test(text))
    throw new AppError('invalid', `--${option} must be a positive number, not ${text}`)
  return text === undefined ? undefined : Number(text)
}

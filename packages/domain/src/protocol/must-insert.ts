import { AppError } from '@cairn/contracts/errors'
import type { Protocol } from './steps.ts'

export function* mustInsert(inserted: Protocol<boolean>, what: string): Protocol<void> {
  if (!(yield* inserted)) throw new AppError('conflict', `${what} of this id exists.`)
}

/**
 * Causes of an AppError `unavailable`; texts, so that they pass from thread to thread. A corrupt store stays so until
 * it is replaced; a disk may recover.
 */
export const storeDamage = { corrupt: 'the file of the store is corrupt', disk: 'the disk of the store fails' } as const

export type StoreDamage = (typeof storeDamage)[keyof typeof storeDamage]

/** Returns undefined for any other error. */
export const damageOf = (error: unknown): StoreDamage | undefined =>
  Object.values(storeDamage).find((damage) => error instanceof Error && error.cause === damage)

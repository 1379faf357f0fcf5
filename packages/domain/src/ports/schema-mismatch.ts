/**
 * Cause of an AppError of a store with an incompatible schema. The message states the remedy and names no host:
 * readiness may show it.
 */
export const schemaMismatch = 'schema mismatch'

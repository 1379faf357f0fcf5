/**
 * Cause of an AppError of a store whose schema is incompatible with this version. The message states the remedy and
 * names no host, so readiness may show it.
 */
export const schemaMismatch = 'schema mismatch'

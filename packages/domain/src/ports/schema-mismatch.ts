/**
 * The cause of an AppError of a store whose schema this version does not work with. The message states the remedy and
 * names no host, so readiness may show it.
 */
export const schemaMismatch = 'schema mismatch'

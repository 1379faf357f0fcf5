/** Store time, milliseconds. Why these: docs/architecture.md, "Stalls". */
export const acceptingOverdueMs = 30_000
export const entryOverdueMs = 60_000
/** A request that has written nothing by then writes nothing: its marks would be overdue before it is done. */
export const stallMs = 20_000
export const leaseMs = 30_000
/** Time that an object's event has before the sweep looks for the object. */
export const firstSweepMs = 5_000
export const closedEntryMs = 1_000
/** Checks after the removal of a namespace for what a late writer left. The first is for uploads in progress. */
export const recheckAfterMs = [60_000, 5 * 60_000, 30 * 60_000, 24 * 3_600_000] as const

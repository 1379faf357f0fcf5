/** Store time, milliseconds. docs/architecture.md, "The rules that make it safe", explains the values. */
export const acceptingOverdueMs = 30_000
export const entryOverdueMs = 60_000
/** Age from which a request that has written nothing is refused: its marks would be overdue before it ends. */
export const stallMs = 20_000
export const leaseMs = 30_000
/** Time for an object's event to arrive before the sweep looks for the object. */
export const firstSweepMs = 5_000
export const closedEntryMs = 1_000
/** Checks after the removal of a namespace for what a late writer left. The first is for uploads in progress. */
export const recheckAfterMs = [60_000, 5 * 60_000, 30 * 60_000, 24 * 3_600_000] as const

/** Store time, ms; docs/architecture.md, "The rules that make it safe", explains the values. */
export const acceptingOverdueMs = 30_000
export const entryOverdueMs = 60_000
/** A request that has written nothing by then is rejected: its entries would be overdue before it ends. */
export const stallMs = 20_000
export const leaseMs = 30_000
/** Wait for an object's event before the sweep looks for the object. */
export const firstSweepMs = 5_000
export const closedEntryMs = 1_000
/** Delays of the checks for late writers' points after a namespace's removal; the first is for uploads in progress. */
export const recheckAfterMs = [60_000, 5 * 60_000, 30 * 60_000, 24 * 3_600_000] as const

/** Store time, milliseconds. Why these: docs/architecture.md, "Stalls". */
export const acceptingOverdueMs = 30_000
export const entryOverdueMs = 60_000
/** A request that has not written anything by then writes nothing: its marks would be overdue before it is done. */
export const stallMs = 20_000
export const leaseMs = 30_000
/** How long the notification of an object has before the sweep looks for it. */
export const firstSweepMs = 5_000
export const closedEntryMs = 1_000
/** After a namespace is gone: what a late writer left is looked for again. The first is for uploads that were under way. */
export const recheckAfterMs = [60_000, 5 * 60_000, 30 * 60_000, 24 * 3_600_000] as const

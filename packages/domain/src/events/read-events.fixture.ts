import type { Store } from '../store.ts'
import type { EventRecord } from './record.ts'

/** Reads every record of the account. Closes missing numbers at once; a stream first waits for their records. */
export const readEvents = async (
  { events }: Pick<Store, 'events'>,
  accountId: string,
  limit = 500,
): Promise<EventRecord[]> => {
  const records: EventRecord[] = []
  for (let last = 0; ; ) {
    const page = await events.after(accountId, last, { limit })
    records.push(...page.records)
    last = page.last
    if (page.next === 'nothing') return records
    if (page.next === 'missing') await events.close(accountId, last + 1, (await events.bounds(accountId))?.last ?? 0)
  }
}

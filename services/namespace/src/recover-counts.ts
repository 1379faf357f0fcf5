import type { Clock } from '@cairn/ports/clock/port'
import type { Metadata } from '@cairn/ports/metadata/port'
import { oneByOne } from '@cairn/runtime/one-by-one'

const limit = 500

/**
 * Counts the changes of dead operations, and removes their entries. Namespaces come first: their recovery settles both.
 */
export const recoverCounts =
  ({ metadata, clock }: { readonly metadata: Metadata; readonly clock: Pick<Clock, 'now'> }) =>
  async (): Promise<void> => {
    const at = await metadata.now()
    const isOverdue = (entries: Readonly<Record<string, { readonly overdueAt: number }>>) =>
      Object.values(entries).some(({ overdueAt }) => overdueAt <= at)
    const pass = oneByOne()
    for (const { id, open } of await metadata.namespaces.open(limit))
      if (isOverdue(open)) await pass.run(() => metadata.recoverNamespace(id, clock.now()))
    for (const { id, reservations } of await metadata.accounts.reserving(limit))
      if (isOverdue(reservations)) await pass.run(() => metadata.recoverAccount(id))
    pass.finish()
  }

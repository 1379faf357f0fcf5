import type { Metadata } from '@cairn/domain/metadata'
import type { Account, Namespace } from '@cairn/domain/metadata/records'
import type { Clock } from '@cairn/domain/ports/clock'
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
    for (let after: Namespace | undefined; ; ) {
      const page = await metadata.namespaces.open({ limit, after })
      for (const { id, open } of page)
        if (isOverdue(open)) await pass.run(() => metadata.recoverNamespace(id, clock.now()))
      if (page.length < limit) break
      after = page.at(-1)
    }
    for (let after: Account | undefined; ; ) {
      const page = await metadata.accounts.reserving({ limit, after })
      for (const { id, reservations } of page)
        if (isOverdue(reservations)) await pass.run(() => metadata.recoverAccount(id))
      if (page.length < limit) break
      after = page.at(-1)
    }
    pass.finish()
  }

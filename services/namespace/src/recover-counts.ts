import { pagesOf } from '@cairn/contracts/flow/pages-of'
import type { Clock } from '@cairn/domain/ports/clock'
import type { Store } from '@cairn/domain/store'
import { oneByOne } from '@cairn/runtime/throttles/one-by-one'

const limit = 500

/** Namespaces first, because recovering one also updates its account. */
export const recoverCounts =
  ({ store, clock }: { readonly store: Store; readonly clock: Pick<Clock, 'now'> }) =>
  async (): Promise<void> => {
    const at = await store.now()
    const isOverdue = (entries: Readonly<Record<string, { readonly overdueAt: number }>>) =>
      Object.values(entries).some(({ overdueAt }) => overdueAt <= at)
    const pass = oneByOne()
    for await (const page of pagesOf(limit, store.namespaces.open, (last) => last))
      for (const { id, open } of page)
        if (isOverdue(open)) await pass.run(() => store.recoverNamespace(id, clock.now()))
    for await (const page of pagesOf(limit, store.accounts.reserving, (last) => last))
      for (const { id, reservations } of page)
        if (isOverdue(reservations)) await pass.run(() => store.recoverAccount(id))
    pass.finish()
  }

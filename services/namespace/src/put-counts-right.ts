import type { Clock } from '@cairn/ports/clock/port'
import type { Metadata, RecountResult } from '@cairn/ports/metadata/port'
import { oneByOne } from '@cairn/runtime/one-by-one'

const limit = 500
/** Tries on a busy account or namespace before entry is closed for a moment. */
const patienceMs = 60_000

/**
 * Recounts what operations that died have left open. Remembers how long each has been busy with an overdue entry among the
 * live ones, and closes entry once it is too long: on a busy namespace no moment without live entries ever comes by itself.
 */
export const putCountsRight = ({ metadata, clock }: { readonly metadata: Metadata; readonly clock: Clock }) => {
  const busySince = new Map<string, number>()
  const settle = async (id: string, overdue: boolean, recount: () => Promise<RecountResult>, closeEntry: () => Promise<void>) => {
    if (!overdue || (await recount()) !== 'busy') {
      busySince.delete(id)
      return
    }
    const since = busySince.get(id) ?? clock.monotonic()
    busySince.set(id, since)
    if (clock.monotonic() - since < patienceMs) return
    busySince.delete(id)
    await closeEntry()
  }
  return async (): Promise<void> => {
    const at = await metadata.now()
    const isOverdue = (entries: Readonly<Record<string, { readonly overdueAt: number }>>) =>
      Object.values(entries).some(({ overdueAt }) => overdueAt <= at)
    const pass = oneByOne()
    for (const { id, open } of await metadata.namespaces.open(limit)) {
      const recount = () => metadata.recountNamespace(id)
      await pass.run(() => settle(id, isOverdue(open), recount, () => metadata.closeEntry({ namespaceId: id })))
    }
    for (const { id, reservations } of await metadata.accounts.reserving(limit)) {
      const recount = () => metadata.recountAccount(id)
      await pass.run(() => settle(id, isOverdue(reservations), recount, () => metadata.closeEntry({ accountId: id })))
    }
    pass.finish()
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Item } from '@cairn/domain/items/record'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Store } from '@cairn/domain/store'
import { allById } from '@cairn/testing/read-all'

const pageSize = 500
const everyMs = 500

export const namespacesOf = (store: Store): Promise<Namespace[]> => allById((page) => store.namespaces.page(page))
export const itemsOf = (store: Store, namespaceId: string): Promise<Item[]> =>
  allById((page) => store.items.page(namespaceId, page))

/**
 * Lists the uploads that are not final; if there are none, the files; if there are none, the documents. Namespaces that
 * are being deleted are left out.
 */
export const notFinal = async (store: Store): Promise<string[]> => {
  const namespaces = (await namespacesOf(store)).filter(({ state }) => state === 'active')
  const living = new Set(namespaces.map(({ id }) => id))
  const uploads = (await store.uploads.unfinished(pageSize)).filter(({ namespaceId }) => living.has(namespaceId))
  if (uploads.length > 0)
    return uploads.map(
      ({ id, state, lastError }) => `upload ${id} ${state}${lastError === null ? '' : ` (${lastError})`}`,
    )
  const files = (await store.files.unfinished(pageSize)).filter(({ namespaceId }) => living.has(namespaceId))
  if (files.length > 0) return files.map(({ name, state, stage }) => `file ${name} ${state} (${stage})`)
  const left: string[] = []
  for (const { id, name } of namespaces) {
    const processing = (await itemsOf(store, id)).filter(({ status }) => status === 'processing')
    left.push(...processing.map((item) => `${name}/${item.id} processing as ${item.version}`))
  }
  return left
}

/** Lists the result of `notFinal` and the pending work of sweeps and deletions. */
export const notQuiet = async (store: Store): Promise<string[]> => {
  const deletions = (await store.deletions.unfinished(pageSize)).filter(({ state }) => state !== 'rechecking')
  const open = await store.namespaces.open({ limit: pageSize })
  const deleting = await store.namespaces.deleting(pageSize)
  const reserving = await store.accounts.reserving({ limit: pageSize })
  return [
    ...(await notFinal(store)),
    ...deletions.map(
      ({ id, target, state, lastError }) =>
        `deletion ${id} of ${target} ${state}${lastError === null ? '' : ` (${lastError})`}`,
    ),
    ...open.map(({ name, openCount }) => `namespace ${name} with ${openCount} open operations`),
    ...deleting.map(({ name }) => `namespace ${name} being deleted`),
    ...reserving.map(({ id, reservationCount }) => `account ${id} with ${reservationCount} reservations`),
  ]
}

/** `ms`: time until nothing was left or until the timeout; `left`: what was left then. */
type Waited = { readonly ms: number; readonly left: readonly string[] }

/**
 * Waits until `left` returns nothing, or until `withinMs` has passed. Times count from `from`, by `performance.now()`.
 */
export const until = async (
  left: () => Promise<readonly string[]>,
  from: number,
  withinMs: number,
): Promise<Waited> => {
  for (;;) {
    const found = await left()
    const ms = performance.now() - from
    if (found.length === 0 || ms > withinMs) return { ms, left: found }
    await pause(everyMs)
  }
}

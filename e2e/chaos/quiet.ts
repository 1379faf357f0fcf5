import { setTimeout as pause } from 'node:timers/promises'
import type { Metadata } from '@cairn/domain/metadata'
import type { Item, Namespace } from '@cairn/domain/metadata/records'

const pageSize = 500
const everyMs = 500

/** Every page of a listing by id. */
const all = async <T extends { readonly id: string }>(
  page: (page: { readonly after: string; readonly limit: number }) => Promise<T[]>,
): Promise<T[]> => {
  const found: T[] = []
  for (let after = ''; ; ) {
    const rows = await page({ after, limit: pageSize })
    found.push(...rows)
    const last = rows.at(-1)
    if (rows.length < pageSize || !last) return found
    after = last.id
  }
}

export const namespacesOf = (metadata: Metadata): Promise<Namespace[]> => all((page) => metadata.namespaces.page(page))
export const itemsOf = (metadata: Metadata, namespaceId: string): Promise<Item[]> =>
  all((page) => metadata.items.page(namespaceId, page))

/** Uploads, files and documents that are not final. What belongs to a namespace that is being deleted goes with it. */
const notFinal = async (metadata: Metadata): Promise<string[]> => {
  const namespaces = (await namespacesOf(metadata)).filter(({ state }) => state === 'active')
  const living = new Set(namespaces.map(({ id }) => id))
  const uploads = (await metadata.uploads.unfinished(pageSize)).filter(({ namespaceId }) => living.has(namespaceId))
  if (uploads.length > 0)
    return uploads.map(
      ({ id, state, lastError }) => `upload ${id} ${state}${lastError === null ? '' : ` (${lastError})`}`,
    )
  const files = (await metadata.files.unfinished(pageSize)).filter(({ namespaceId }) => living.has(namespaceId))
  if (files.length > 0) return files.map(({ name, state, stage }) => `file ${name} ${state} (${stage})`)
  const left: string[] = []
  for (const { id, name } of namespaces) {
    const processing = (await itemsOf(metadata, id)).filter(({ status }) => status === 'processing')
    left.push(...processing.map((item) => `${name}/${item.id} processing as ${item.version}`))
  }
  return left
}

/** What sweeps have still to put right, or deletions to remove. */
const notQuiet = async (metadata: Metadata): Promise<string[]> => {
  const deletions = (await metadata.deletions.unfinished(pageSize)).filter(({ state }) => state !== 'rechecking')
  const open = await metadata.namespaces.open({ limit: pageSize })
  const deleting = await metadata.namespaces.deleting(pageSize)
  const reserving = await metadata.accounts.reserving({ limit: pageSize })
  return [
    ...deletions.map(
      ({ id, target, state, lastError }) =>
        `deletion ${id} of ${target} ${state}${lastError === null ? '' : ` (${lastError})`}`,
    ),
    ...open.map(({ name, openCount }) => `namespace ${name} with ${openCount} open operations`),
    ...deleting.map(({ name }) => `namespace ${name} being deleted`),
    ...reserving.map(({ id, reservationCount }) => `account ${id} with ${reservationCount} reservations`),
  ]
}

/** Milliseconds until nothing is left; `left`: what was, when the time was over. */
export type Waited = { readonly ms: number; readonly left: readonly string[] }

/** Waits until `left` returns nothing. Counts from `from`, by `performance.now()`. */
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

/** Waits until every document has its outcome. Counts from `from`, by `performance.now()`. */
export const untilFinal = (metadata: Metadata, from: number, withinMs: number): Promise<Waited> =>
  until(() => notFinal(metadata), from, withinMs)

/** Waits until nothing of what should be in the index is missing there. */
export const untilMended = (missing: () => Promise<string[]>, from: number, withinMs: number): Promise<Waited> =>
  until(missing, from, withinMs)

/** Waits until, besides, nothing is under way at all. */
export const untilQuiet = (metadata: Metadata, from: number, withinMs: number): Promise<Waited> =>
  until(async () => [...(await notFinal(metadata)), ...(await notQuiet(metadata))], from, withinMs)

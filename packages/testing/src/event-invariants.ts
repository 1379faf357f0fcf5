import { readEvents } from '@cairn/domain/events/read-events.fixture'
import type { Item } from '@cairn/domain/items/record'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { Store } from '@cairn/domain/store'

type Report = (message: string) => void
type ItemEvent = { readonly what: string; readonly jobId: string | null }

const ends = ['searchable', 'failed', 'superseded']

/**
 * Checks that each upload has one event `accepted` per document, then one final event. An upload that failed at once
 * has only the final event.
 */
const checkUploads = (itemEvents: readonly ItemEvent[], where: string, report: Report): void => {
  for (const [jobId, some] of Map.groupBy(
    itemEvents.filter(({ what }) => what !== 'deleted'),
    (one) => one.jobId,
  )) {
    const types = some.map(({ what }) => what).join(', ')
    const [first = '', second = ''] = some.map(({ what }) => what)
    const isWhole = some.length === 2 && first === 'accepted' && ends.includes(second)
    const isFailedAtOnce = some.length === 1 && first === 'failed'
    if (!isWhole && !isFailedAtOnce) report(`the events of ${where} by ${jobId} are: ${types}`)
  }
}

/** Checks that the last event of a document matches its state, ignoring events of superseded uploads. */
const checkLast = (itemEvents: readonly ItemEvent[], item: Item | undefined, where: string, report: Report): void => {
  const superseded = new Set(itemEvents.filter(({ what }) => what === 'superseded').map(({ jobId }) => jobId))
  const last = itemEvents.filter(({ what, jobId }) => what === 'deleted' || !superseded.has(jobId)).at(-1)
  if (!item) {
    if (last && (last.what === 'searchable' || last.what === 'accepted'))
      report(`${where} is gone, and its last event is ${last.what} by ${last.jobId}`)
    return
  }
  const expected = item.status === 'completed' ? 'searchable' : item.status
  // An upload over the quota fails and the older version stays, so only events of the stored version count.
  const own = itemEvents.filter(({ jobId, what }) => jobId === item.version || what === 'deleted').at(-1)
  if (own?.what !== expected || own.jobId !== item.version)
    report(`${where} is ${item.status} by ${item.version}, and its last event is ${own?.what} by ${own?.jobId}`)
}

/**
 * Checks I12 for an account on an idle system that keeps all events: numbers have no gap, each event occurs once and in
 * order, and the last event of every document matches the document. `namespaces`: the account's namespaces, each with
 * its items.
 */
export const checkEvents = async (
  store: Store,
  accountId: string,
  namespaces: readonly { readonly namespace: Namespace; readonly items: ReadonlyMap<string, Item> }[],
  report: Report,
): Promise<void> => {
  const records = await readEvents(store, accountId)
  for (const [index, { seq }] of records.entries())
    if (seq !== index + 1) return report(`the event after ${index} of account ${accountId} has the number ${seq}`)
  for (const { namespace, items } of namespaces) {
    const itemEvents = new Map<string, ItemEvent[]>()
    for (const { namespaceId, jobId, groups } of records) {
      if (namespaceId !== namespace.id) continue
      for (const { type, ids } of groups) {
        const [of = '', what = ''] = type.split('.')
        if (of === 'file') continue
        for (const id of ids) itemEvents.set(id, [...(itemEvents.get(id) ?? []), { what, jobId }])
      }
    }
    for (const id of new Set([...itemEvents.keys(), ...items.keys()])) {
      const where = `${namespace.name}/${id}`
      checkUploads(itemEvents.get(id) ?? [], where, report)
      checkLast(itemEvents.get(id) ?? [], items.get(id), where, report)
    }
  }
}

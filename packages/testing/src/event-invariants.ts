import type { Metadata } from '@cairn/domain/metadata'
import { readEvents } from '@cairn/domain/metadata/contract/read-events'
import type { Item, Namespace } from '@cairn/domain/metadata/records'

type Report = (message: string) => void
type Told = { readonly what: string; readonly jobId: string | null }

const ends = ['searchable', 'failed', 'superseded']

/** Each upload says once of a document that it was accepted, then once how that ended. Failed at once: the end alone. */
const checkUploads = (told: readonly Told[], where: string, report: Report): void => {
  for (const [jobId, some] of Map.groupBy(
    told.filter(({ what }) => what !== 'deleted'),
    (one) => one.jobId,
  )) {
    const said = some.map(({ what }) => what).join(', ')
    const [first = '', second = ''] = some.map(({ what }) => what)
    const isWhole = some.length === 2 && first === 'accepted' && ends.includes(second)
    const isFailedAtOnce = some.length === 1 && first === 'failed'
    if (!isWhole && !isFailedAtOnce) report(`the events of ${where} by ${jobId} are: ${said}`)
  }
}

/** What a client knows that keeps the last event of each document, without those of uploads that were superseded. */
const checkLast = (told: readonly Told[], item: Item | undefined, where: string, report: Report): void => {
  const superseded = new Set(told.filter(({ what }) => what === 'superseded').map(({ jobId }) => jobId))
  const last = told.filter(({ what, jobId }) => what === 'deleted' || !superseded.has(jobId)).at(-1)
  if (!item) {
    if (last && (last.what === 'searchable' || last.what === 'accepted'))
      report(`${where} is gone, and its last event is ${last.what} by ${last.jobId}`)
    return
  }
  const expected = item.status === 'completed' ? 'searchable' : item.status
  // One that was over the quota while an older version stayed has failed, and changed nothing.
  const own = told.filter(({ jobId, what }) => jobId === item.version || what === 'deleted').at(-1)
  if (own?.what !== expected || own.jobId !== item.version)
    report(`${where} is ${item.status} by ${item.version}, and its last event is ${own?.what} by ${own?.jobId}`)
}

/**
 * Checks I12 for an account on an idle system whose events are all kept: numbers without a gap, each event once and in
 * order, and the last one of every document as the document is. `itemsOf`: the items of its namespaces.
 */
export const checkEvents = async (
  metadata: Metadata,
  accountId: string,
  namespaces: readonly { readonly namespace: Namespace; readonly items: ReadonlyMap<string, Item> }[],
  report: Report,
): Promise<void> => {
  const records = await readEvents(metadata, accountId)
  for (const [index, { seq }] of records.entries())
    if (seq !== index + 1) return report(`the event after ${index} of account ${accountId} has the number ${seq}`)
  for (const { namespace, items } of namespaces) {
    const told = new Map<string, Told[]>()
    for (const { namespaceId, jobId, groups } of records) {
      if (namespaceId !== namespace.id) continue
      for (const { type, ids } of groups) {
        const [of = '', what = ''] = type.split('.')
        if (of === 'file') continue
        for (const id of ids) told.set(id, [...(told.get(id) ?? []), { what, jobId }])
      }
    }
    for (const id of new Set([...told.keys(), ...items.keys()])) {
      const where = `${namespace.name}/${id}`
      checkUploads(told.get(id) ?? [], where, report)
      checkLast(told.get(id) ?? [], items.get(id), where, report)
    }
  }
}

import type { LedgerEntry, SentDocument } from './ledger.ts'

export type Invariant = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I7' | 'I8' | 'I9' | 'I10' | 'I12'

/** A violated invariant, with a sentence that describes the violation. */
export type Violation = { readonly invariant: Invariant; readonly message: string }

type Interval = { readonly from: number; readonly to: number }
type Sent = { readonly entry: LedgerEntry; readonly document: SentDocument; readonly refused: boolean }
type Past = { readonly uploads: Sent[]; readonly deletes: LedgerEntry[] }
type NamePast = { readonly creates: LedgerEntry[]; readonly deletes: LedgerEntry[] }

/** The interval after all requests: the final state must agree with every answer. */
export const atTheEnd: Interval = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY }

export type ItemPlace = { readonly accountId: string; readonly namespace: string; readonly id: string }
export type Body = {
  readonly text: string
  readonly metadata: unknown
  readonly vector?: ArrayLike<number> | undefined
}

const keyOf = (...parts: readonly string[]): string => parts.join('\u0000')

const entryOf = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const existing = map.get(key)
  if (existing !== undefined) return existing
  const created = make()
  map.set(key, created)
  return created
}

/**
 * Whether a deletion that may have taken effect explains the absence of a written item: the deletion ended after the
 * write began, and began before the read ended.
 */
const explainsAbsence = (deletion: LedgerEntry, written: LedgerEntry, to: number): boolean =>
  deletion.outcome !== 'refused' && deletion.endedAt >= written.startedAt && deletion.startedAt <= to

/** Whether an acknowledged deletion began after the write and ended before the read. */
const forbidsPresence = (deletion: LedgerEntry, written: LedgerEntry, from: number): boolean =>
  deletion.outcome === 'acknowledged' && deletion.startedAt > written.endedAt && deletion.endedAt < from

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

const broken = (invariant: Invariant, message: string): Violation => ({ invariant, message })

/**
 * Creates checks of what clients may read, given the requests of a ledger. Each check returns the violated invariant,
 * or undefined.
 */
export const ledgerHistory = (entries: readonly LedgerEntry[]) => {
  const items = new Map<string, Past>()
  const names = new Map<string, NamePast>()
  const byText = new Map<string, Sent>()
  const placesByName = new Map<string, Map<string, ItemPlace>>()

  const pastOf = (place: ItemPlace): Past => {
    const { accountId, namespace, id } = place
    entryOf(placesByName, keyOf(accountId, namespace), () => new Map()).set(id, place)
    return entryOf(items, keyOf(accountId, namespace, id), () => ({ uploads: [], deletes: [] }))
  }
  const nameOf = (accountId: string, namespace: string): NamePast =>
    entryOf(names, keyOf(accountId, namespace), () => ({ creates: [], deletes: [] }))

  for (const entry of entries) {
    const { accountId, request } = entry
    if (request.kind === 'upload') {
      const refusedIds = new Set(entry.answered.refusedIds)
      for (const document of request.documents) {
        const sent = { entry, document, refused: entry.outcome === 'refused' || refusedIds.has(document.id) }
        pastOf({ accountId, namespace: request.namespace, id: document.id }).uploads.push(sent)
        if (byText.has(document.text)) throw new Error(`the ledger has the text ${document.text.slice(0, 80)} twice`)
        byText.set(document.text, sent)
      }
    }
    if (request.kind === 'delete') {
      for (const id of request.ids) pastOf({ accountId, namespace: request.namespace, id }).deletes.push(entry)
    }
    if (request.kind === 'createNamespace') nameOf(accountId, request.namespace).creates.push(entry)
    if (request.kind === 'deleteNamespace') nameOf(accountId, request.namespace).deletes.push(entry)
  }

  const deletionsOf = (place: ItemPlace): readonly LedgerEntry[] => [
    ...pastOf(place).deletes,
    ...nameOf(place.accountId, place.namespace).deletes,
  ]
  const counts = ({ entry, refused }: Sent): boolean => entry.outcome === 'acknowledged' && !refused

  return {
    /** Returns the upload that wrote a body. */
    sentAs: (text: string): Sent | undefined => byText.get(text),
    deletionsOf,
    uploadsOf: (place: ItemPlace): readonly Sent[] => pastOf(place).uploads,
    deletionsOfName: (accountId: string, namespace: string): readonly LedgerEntry[] =>
      nameOf(accountId, namespace).deletes,
    /** Returns every id ever uploaded to, or deleted from, a namespace of this name. */
    placesIn: (accountId: string, namespace: string): readonly ItemPlace[] => [
      ...(placesByName.get(keyOf(accountId, namespace))?.values() ?? []),
    ],
    names: (accountId: string): readonly string[] =>
      [...names.keys()].flatMap((key) =>
        key.startsWith(keyOf(accountId, '')) ? [key.slice(accountId.length + 1)] : [],
      ),

    /** Returns the reason why an item can't have been absent at any time within the interval. */
    notAbsent: (place: ItemPlace, { from, to }: Interval): Violation | undefined => {
      const deletions = deletionsOf(place)
      const lost = pastOf(place).uploads.find(
        (sent) =>
          counts(sent) &&
          sent.entry.endedAt < from &&
          !deletions.some((deletion) => explainsAbsence(deletion, sent.entry, to)),
      )
      return (
        lost &&
        broken(
          'I1',
          `${place.namespace}/${place.id} is missing, although ${lost.entry.name} was acknowledged and nothing deleted it`,
        )
      )
    },
    /**
     * Returns the reason why the item can't have had this body at any time within the interval. With `latest`, no later
     * upload may have replaced the body either.
     */
    notThere: (
      place: ItemPlace,
      body: Body,
      { from, to }: Interval,
      { latest }: { readonly latest: boolean },
    ): Violation | undefined => {
      const where = `${place.namespace}/${place.id}`
      const sent = byText.get(body.text)
      if (!sent) return broken('I3', `${where} has a text that nobody sent: ${body.text.slice(0, 60)}`)
      const { entry, document, refused } = sent
      const sentTo = entry.request.kind === 'upload' ? entry.request.namespace : ''
      if (entry.accountId !== place.accountId || sentTo !== place.namespace || document.id !== place.id)
        return broken(
          'I6',
          `${where} has the body that ${entry.name} sent for ${sentTo}/${document.id} of ${entry.accountId}`,
        )
      if (refused) return broken('I3', `${where} has the body of ${entry.name}, which was refused`)
      if (entry.startedAt > to) return broken('I3', `${where} had the body of ${entry.name} before it was sent`)
      if (jsonOf(document.metadata) !== jsonOf(body.metadata))
        return broken('I3', `${where} has not the metadata that ${entry.name} sent with its text`)
      if (
        body.vector &&
        document.vector &&
        !document.vector.every((value, index) => Math.fround(value) === body.vector?.[index])
      )
        return broken('I3', `${where} has not the vector that ${entry.name} sent with its text`)
      const deletion = deletionsOf(place).find((candidate) => forbidsPresence(candidate, entry, from))
      if (deletion) return broken('I7', `${where} has the body of ${entry.name}, which ${deletion.name} deleted`)
      if (!latest) return undefined
      const later = pastOf(place).uploads.find(
        (other) => counts(other) && other.entry.startedAt > entry.endedAt && other.entry.endedAt < from,
      )
      return later && broken('I1', `${where} has the body of ${entry.name}, which ${later.entry.name} replaced`)
    },
    /** Returns the reason why no active namespace of this name can have existed. */
    nameNotTaken: (accountId: string, namespace: string, { from, to }: Interval): Violation | undefined => {
      const { creates, deletes } = nameOf(accountId, namespace)
      const possible = creates.some(
        (create) =>
          create.outcome !== 'refused' &&
          create.startedAt <= to &&
          !deletes.some((deletion) => forbidsPresence(deletion, create, from)),
      )
      return possible
        ? undefined
        : broken('I5', `namespace ${namespace} is there, although it was deleted or never created`)
    },
    /** Returns the reason why an active namespace of this name must have existed during the whole interval. */
    nameNotFree: (accountId: string, namespace: string, { from, to }: Interval): Violation | undefined => {
      const { creates, deletes } = nameOf(accountId, namespace)
      const lost = creates.find(
        (create) =>
          create.outcome === 'acknowledged' &&
          create.endedAt < from &&
          !deletes.some((deletion) => explainsAbsence(deletion, create, to)),
      )
      return (
        lost &&
        broken('I5', `namespace ${namespace} is missing, although ${lost.name} was acknowledged and nothing deleted it`)
      )
    },
  }
}

export type LedgerHistory = ReturnType<typeof ledgerHistory>

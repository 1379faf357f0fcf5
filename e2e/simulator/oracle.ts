import type { Account } from '@cairn/domain/accounts/record'
import { isPresent } from '@cairn/domain/items/item-marks'
import type { Item, StoredItem } from '@cairn/domain/items/record'
import type { Namespace } from '@cairn/domain/namespaces/record'
import type { ReturnedDocument } from '@cairn/testing/ledger'
import type { Profile } from './profile.ts'
import type { World } from './world.ts'

/** History of an item's index state, visible only to the simulator. */
type Trail = {
  /** Step at which the current uninterrupted indexed period began; undefined if the item is not indexed. */
  since: number | undefined
  /** Number of changes to the indexed state. */
  moves: number
  version: string | undefined
  /** All indexed texts, each with the step at which its indexed period ended. */
  readonly shown: { readonly text: string; until: number }[]
}

export type Oracle = {
  /** Checks what must hold at each moment and returns a violation; called after every step that may have written. */
  afterWrite(): string | undefined
  /**
   * Returns the deleted ids that are still indexed, with their indexed texts; called right after the response of the
   * deletion.
   */
  stillFound(
    accountId: string,
    namespace: string,
    ids: readonly string[],
  ): readonly { readonly id: string; readonly text: string }[]
  /** Starts watching a search; the returned function checks the search's response. */
  watchSearch(
    accountId: string,
    namespaces: readonly string[],
  ): (seen: readonly ReturnedDocument[]) => string | undefined
}

/** Creates the checks of what must hold at every step. */
export const createOracle = (world: World, profile: Profile): Oracle => {
  const trails = new Map<string, Trail>()
  const texts = new Map<string, string>()
  const statuses = new Map<string, Item['status']>()
  const writerOf = (namespaceId: string, id: string, version: string) => texts.get(`${namespaceId} ${id} ${version}`)
  const { data } = world.store
  const rows = <T>(name: 'items' | 'namespaces' | 'accounts') =>
    (data.get(name) as ReadonlyMap<string, unknown> as ReadonlyMap<string, T>).values()
  /** Returns the readable items. */
  const items = (): Item[] => [...rows<StoredItem>('items')].filter(isPresent)

  const end = (trail: Trail, at: number) => {
    trail.since = undefined
    trail.version = undefined
    const last = trail.shown.at(-1)
    if (last && last.until > at) last.until = at
  }

  /**
   * Returns which part an indexed item lacks. At every moment, an indexed item must have the body of its version and
   * all its points.
   */
  const indexFault = ({ namespaceId, id, version, body, indexed }: Item): string | undefined => {
    if (!indexed) return undefined
    const writer = writerOf(namespaceId, id, indexed.version)
    const text = (indexed.body ?? body).text
    if (writer !== undefined && writer !== text)
      return `I2: ${id} is indexed as ${indexed.version} with the body of another version (latest ${version})`
    for (let passage = 0; passage < indexed.passages; passage += 1)
      if (!world.vectors.has({ namespaceId, itemId: id, version: indexed.version, passage }))
        return `I2: ${id} is indexed as ${indexed.version} and has no point ${passage}`
    return undefined
  }

  const follow = (): string | undefined => {
    const at = world.scheduler.steps()
    const active = new Set(world.namespaces().flatMap(({ id, state }) => (state === 'active' ? [id] : [])))
    const present = new Set<string>()
    let fault: string | undefined
    for (const item of items()) {
      const { namespaceId, id, version, status, body, indexed } = item
      const key = `${namespaceId} ${id}`
      present.add(key)
      texts.set(`${key} ${version}`, body.text)
      const former = statuses.get(`${key} ${version}`)
      if (former !== undefined && former !== 'processing' && former !== status)
        fault ??= `I1: ${id}@${version} is ${status} after it had been ${former}`
      statuses.set(`${key} ${version}`, status)
      const trail = trails.get(key) ?? { since: undefined, moves: 0, version: undefined, shown: [] }
      trails.set(key, trail)
      if (active.has(namespaceId)) fault ??= indexFault(item)
      if (trail.version === indexed?.version) continue
      if (!indexed) {
        end(trail, at)
        continue
      }
      const { since = at } = trail
      end(trail, at)
      trail.since = since
      trail.moves += 1
      trail.version = indexed.version
      trail.shown.push({ text: (indexed.body ?? body).text, until: Number.POSITIVE_INFINITY })
    }
    for (const [key, trail] of trails) if (!present.has(key)) end(trail, at)
    return fault
  }

  const overLimit = (): string | undefined => {
    // A write that arrives after its request was given up may exceed the limit: counts include it, but nothing can undo
    // it.
    if (world.state.sawLate) return undefined
    const namespaces = [...rows<Namespace>('namespaces')]
    for (const account of rows<Account>('accounts')) {
      const own = namespaces.filter(({ accountId }) => accountId === account.id)
      const counts = { documents: 0, vectors: 0, namespaces: own.length }
      const owed = { documents: 0, vectors: 0, namespaces: 0 }
      for (const namespace of own) {
        const noted = namespace.deletionId !== null && account.noted[namespace.deletionId] !== undefined
        if (!noted) owed.namespaces += 1
        const what = namespace.type === 'text' ? 'documents' : 'vectors'
        for (const { namespaceId } of items()) {
          if (namespaceId !== namespace.id) continue
          counts[what] += 1
          if (!noted) owed[what] += 1
        }
      }
      for (const what of ['documents', 'vectors', 'namespaces'] as const) {
        const limit = profile.limits[what]
        if (limit !== null && counts[what] > limit)
          return `I9: account ${account.id} has ${counts[what]} ${what}, its limit is ${limit}`
        if (account.held[what] < owed[what])
          return `I9: account ${account.id} is held to have ${account.held[what]} ${what} and has ${owed[what]}`
      }
    }
    return undefined
  }

  /**
   * Returns a violation if an item's namespace is gone: a namespace must not be removed before its last writer has
   * left.
   */
  const orphan = (): string | undefined => {
    if (world.state.sawLate) return undefined
    const existing = new Set(world.namespaces().map(({ id }) => id))
    for (const { namespaceId, id, version } of rows<StoredItem>('items'))
      if (!existing.has(namespaceId)) return `I5: ${id}@${version} is in ${namespaceId}, which is gone`
    return undefined
  }

  /**
   * Returns a violation of the counts. Without writers, counts are exact, and an account's counts are the sums of its
   * namespaces' counts.
   */
  const miscount = (): string | undefined => {
    if (world.state.sawLate) return undefined
    const counted = new Map<string, number>()
    for (const { namespaceId } of items()) counted.set(namespaceId, (counted.get(namespaceId) ?? 0) + 1)
    const namespaces = world.namespaces()
    for (const { id, name, state, openCount, itemCount } of namespaces) {
      const count = counted.get(id) ?? 0
      if (state === 'active' && openCount === 0 && itemCount !== count)
        return `I4: nobody is at work on namespace ${name}, it counts ${itemCount} items and has ${count}`
    }
    for (const { id, reservationCount, counts, noted } of rows<Account>('accounts')) {
      // A writer leaves the account before the namespace.
      if (reservationCount > 0 || namespaces.some((one) => one.accountId === id && one.openCount > 0)) continue
      const sums = { documents: 0, vectors: 0, namespaces: 0 }
      for (const { accountId, type, itemCount, deletionId } of namespaces) {
        if (accountId !== id || (deletionId !== null && noted[deletionId] !== undefined)) continue
        sums[type === 'text' ? 'documents' : 'vectors'] += itemCount
        sums.namespaces += 1
      }
      for (const what of ['documents', 'vectors', 'namespaces'] as const)
        if (counts[what] !== sums[what])
          return `I4: nobody is at work on account ${id}, it counts ${counts[what]} ${what} and has ${sums[what]}`
    }
    return undefined
  }

  const active = (accountId: string, name: string) =>
    world.namespaces().find((one) => one.accountId === accountId && one.name === name && one.state === 'active')

  return {
    afterWrite: () => follow() ?? overLimit() ?? orphan() ?? miscount(),
    stillFound: (accountId, name, ids) => {
      const namespace = active(accountId, name)
      return items().flatMap(({ namespaceId, id, body, indexed }) =>
        namespaceId === namespace?.id && ids.includes(id) && indexed ? [{ id, text: (indexed.body ?? body).text }] : [],
      )
    },
    watchSearch: (accountId, namespaces) => {
      const from = world.scheduler.steps()
      const before = namespaces.map((name) => active(accountId, name)?.id)
      const moves = new Map([...trails].map(([key, { moves }]) => [key, moves]))
      return (seen) => {
        follow()
        for (const [index, name] of namespaces.entries()) {
          const namespace = active(accountId, name)
          if (!namespace || namespace.id !== before[index]) continue
          for (const hit of seen) {
            if (hit.namespace !== name) continue
            const shown = trails.get(`${namespace.id} ${hit.id}`)?.shown ?? []
            if (!shown.some(({ text, until }) => text === hit.text && until >= from))
              return `I2: ${name}/${hit.id} was found with a text that was not indexed then`
          }
          for (const [key, trail] of trails) {
            const [namespaceId, id = ''] = key.split(' ')
            if (namespaceId !== namespace.id || trail.since === undefined || trail.since > from) continue
            // A search reads the index twice; an item that changed twice meanwhile may be missed.
            if (trail.moves - (moves.get(key) ?? 0) >= 2) continue
            if (!seen.some((hit) => hit.id === id && hit.namespace === name))
              return `I2: ${name}/${id} was indexed all the time and was not found`
          }
        }
        return undefined
      }
    },
  }
}

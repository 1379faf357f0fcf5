import { setTimeout as wait } from 'node:timers/promises'
import type { Ledger, SentDocument } from '@cairn/testing/ledger'
import { type RecordedClient, recordedClient } from '@cairn/testing/recorded-client'
import { type Random, seededRandom } from '@cairn/testing/seeded-random'

export type Account = { readonly accountId: string; readonly apiKey: string }

/** A namespace that every account has. */
export type Place = {
  readonly name: string
  /** Dimension of a vector namespace. Absent for text. */
  readonly dimension?: number
  /** Probability per step that the namespace is deleted and recreated. Absent: never. */
  readonly churn?: number
}

export type LoadOptions = {
  readonly seed: number
  readonly clients: number
  /** Number of documents to be acknowledged in uploads of all clients together. */
  readonly documents: number
  readonly accounts: readonly Account[]
  readonly ledger: Ledger
  /** Returns the server's current URL; waits while the server is down. */
  readonly url: () => Promise<string>
  /**
   * Share of the documents in uploads and deletions whose ids already exist: overwriting, deleting and uploading again.
   */
  readonly again: number
  /** Namespaces of each account. Default: two text namespaces. */
  readonly places?: readonly Place[]
  /** Share of reads that walk all pages of a namespace. Default: none. */
  readonly walks?: number
  readonly largestBatch?: number
  /** Creates the client with this number. Default: a client that uses `url`. */
  readonly open?: (account: Account, number: number) => RecordedClient
  /** Returns true when the clients must stop. Default: once `documents` are acknowledged. */
  readonly isOver?: () => boolean
  /** Awaited before each step of a client, to throttle the load. */
  readonly turn?: () => Promise<unknown>
}

const twoOfText: readonly Place[] = [{ name: 'notes' }, { name: 'letters' }]
const largestDelete = 25
const pageSize = 100
const words =
  'river stone garden winter letter music bread copper silent orange harbour window market shadow meadow engine paper thunder village candle'.split(
    ' ',
  )
const textBytes = 1_024
/** Number of attempts to create a namespace whose name becomes free only some time after its deletion. */
const createTries = 40
const createEveryMs = 250

/**
 * Ids used and deleted in a namespace, shared by the clients of an account. `away`: the namespace is being replaced.
 */
type Pool = { readonly ids: string[]; readonly deleted: string[]; away: boolean }

const take = (random: Random, from: readonly string[], count: number): string[] => [
  ...new Set(Array.from({ length: Math.min(count, from.length) }, () => random.pick(from))),
]

const vectorOf = (random: Random, dimension: number): number[] =>
  Array.from({ length: dimension }, () => Math.fround(random.next() * 2 - 1))

/**
 * Creates clients that upload, overwrite, delete, upload again, read and search in the same few namespaces, and replace
 * namespaces with `churn`, until `isOver`.
 */
export const createLoad = (options: LoadOptions) => {
  const {
    seed,
    clients,
    documents,
    accounts,
    ledger,
    url,
    again,
    places = twoOfText,
    walks = 0,
    largestBatch = 40,
  } = options
  const pools = new Map<string, Pool>()
  const state = { acknowledged: 0, inFlight: 0, onOldIds: 0, touched: 0, made: 0 }
  const isOver = options.isOver ?? (() => state.acknowledged >= documents)
  let address = ''

  const textOf = (random: Random): string => {
    state.made += 1
    let text = `Number ${state.made}:`
    while (text.length < textBytes) text += ` ${random.pick(words)}${random.below(500)}`
    return text.slice(0, textBytes)
  }
  const documentsOf = (random: Random, ids: readonly string[], dimension?: number): SentDocument[] =>
    ids.map((id) => {
      const text = textOf(random)
      return {
        id,
        text,
        metadata: { turn: state.made },
        ...(dimension === undefined ? {} : { vector: vectorOf(random, dimension) }),
      }
    })

  const asked = async <T>(call: () => Promise<T>): Promise<T> => {
    address = await url()
    state.inFlight += 1
    try {
      return await call()
    } finally {
      state.inFlight -= 1
    }
  }

  const upload = async (api: RecordedClient, random: Random, { name, dimension }: Place, ids: readonly string[]) => {
    state.touched += ids.length
    const { entry } = await asked(() => api.upload(name, documentsOf(random, ids, dimension)))
    if (entry.outcome === 'acknowledged') state.acknowledged += ids.length - (entry.answered.refusedIds?.length ?? 0)
  }

  const onOldIds = async (api: RecordedClient, random: Random, place: Place, { ids, deleted }: Pool) => {
    const kind = random.below(3)
    const chosen = take(random, kind === 2 ? deleted : ids, 1 + random.below(largestDelete))
    if (chosen.length === 0) return
    state.onOldIds += chosen.length
    if (kind === 1) {
      state.touched += chosen.length
      deleted.push(...chosen)
      await asked(() => api.remove(place.name, chosen))
    } else await upload(api, random, place, chosen)
  }

  const search = (api: RecordedClient, random: Random, { name, dimension }: Place) =>
    api.search(
      [name],
      dimension === undefined ? `${random.pick(words)} ${random.pick(words)}` : vectorOf(random, dimension),
    )

  const look = async (api: RecordedClient, random: Random, place: Place, { ids }: Pool) => {
    if (walks > 0 && place.dimension === undefined && random.chance(walks))
      return asked(() => api.walk(place.name, pageSize))
    const chosen = take(random, ids, 10)
    if (chosen.length === 0) return
    return asked(() => (random.chance(0.5) ? api.get(place.name, chosen) : search(api, random, place)))
  }

  /** Deletes the namespace with its content and creates another one of the same name. */
  const replace = async (api: RecordedClient, { name, dimension }: Place, pool: Pool) => {
    pool.away = true
    pool.ids.length = 0
    pool.deleted.length = 0
    await asked(() => api.deleteNamespace(name))
    for (let tries = 0; tries < createTries && !isOver(); tries += 1) {
      const { status } = await asked(() => api.createNamespace(name, dimension))
      if (status === 201) break
      await wait(createEveryMs)
    }
    pool.away = false
  }

  const poolOf = (accountId: string, { name }: Place): Pool => {
    const key = `${accountId} ${name}`
    const pool = pools.get(key) ?? { ids: [], deleted: [], away: false }
    pools.set(key, pool)
    return pool
  }

  const runClient = async (number: number): Promise<void> => {
    const random = seededRandom(seed * 1_000 + number)
    const account = accounts[number % accounts.length] as Account
    const api = options.open?.(account, number) ?? recordedClient({ url: () => address, ...account, ledger })
    while (!isOver()) {
      await options.turn?.()
      const place = random.pick(places)
      const pool = poolOf(account.accountId, place)
      if (place.churn && !pool.away && random.chance(place.churn)) await replace(api, place, pool)
      else if (random.chance(0.1)) await look(api, random, place, pool)
      else if (state.onOldIds < again * state.touched && pool.ids.length > 0) await onOldIds(api, random, place, pool)
      else {
        const fresh = Array.from(
          { length: 1 + random.below(largestBatch) },
          (_, index) => `d${state.made + index}-${number}`,
        )
        await upload(api, random, place, fresh)
        pool.ids.push(...fresh)
      }
    }
    api.close()
  }

  return {
    places,
    namespaces: places.map(({ name }) => name),
    acknowledged: () => state.acknowledged,
    inFlight: () => state.inFlight,
    /** Returns the share of the load that was on existing ids. */
    share: () => state.onOldIds / Math.max(1, state.touched),
    run: async (): Promise<void> => {
      await Promise.all(Array.from({ length: clients }, (_, number) => runClient(number)))
    },
  }
}

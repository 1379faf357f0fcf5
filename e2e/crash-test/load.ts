import type { Ledger, SentDocument } from '@cairn/testing/ledger'
import { type RecordedClient, recordedClient } from '@cairn/testing/recorded-client'
import { type Random, seededRandom } from '@cairn/testing/seeded-random'

export type Account = { readonly accountId: string; readonly apiKey: string }

export type LoadOptions = {
  readonly seed: number
  readonly clients: number
  /** Acknowledged in uploads, all clients together. */
  readonly documents: number
  readonly accounts: readonly Account[]
  readonly ledger: Ledger
  /** Where the server is now; waits while it is not there. */
  readonly url: () => Promise<string>
  /** Share of what is done to ids that were there before: overwritten, deleted, uploaded again. */
  readonly again: number
}

const namespaces = ['notes', 'letters']
const largestBatch = 40
const largestDelete = 25
const words =
  'river stone garden winter letter music bread copper silent orange harbour window market shadow meadow engine paper thunder village candle'.split(
    ' ',
  )
const textBytes = 1_024

/** What a place of ids, shared by the clients of an account, holds. */
type Pool = { readonly ids: string[]; readonly deleted: string[] }

const take = (random: Random, from: readonly string[], count: number): string[] => [
  ...new Set(Array.from({ length: Math.min(count, from.length) }, () => random.pick(from))),
]

/** Clients that upload, overwrite, delete and upload again, all on the same few namespaces, until enough was sent. */
export const createLoad = ({ seed, clients, documents, accounts, ledger, url, again }: LoadOptions) => {
  const pools = new Map<string, Pool>()
  const state = { acknowledged: 0, inFlight: 0, onOldIds: 0, touched: 0, made: 0 }
  let address = ''

  const textOf = (random: Random): string => {
    state.made += 1
    let text = `Number ${state.made}:`
    while (text.length < textBytes) text += ` ${random.pick(words)}${random.below(500)}`
    return text.slice(0, textBytes)
  }
  const documentsOf = (random: Random, ids: readonly string[]): SentDocument[] =>
    ids.map((id) => ({ id, text: textOf(random), metadata: { turn: state.made } }))

  const asked = async <T>(call: () => Promise<T>): Promise<T> => {
    address = await url()
    state.inFlight += 1
    try {
      return await call()
    } finally {
      state.inFlight -= 1
    }
  }

  const upload = async (api: RecordedClient, random: Random, namespace: string, ids: readonly string[]) => {
    state.touched += ids.length
    const { entry } = await asked(() => api.upload(namespace, documentsOf(random, ids)))
    if (entry.outcome === 'acknowledged') state.acknowledged += ids.length
  }

  const onOldIds = async (api: RecordedClient, random: Random, namespace: string, { ids, deleted }: Pool) => {
    const kind = random.below(3)
    const chosen = take(random, kind === 2 ? deleted : ids, 1 + random.below(largestDelete))
    if (chosen.length === 0) return
    state.onOldIds += chosen.length
    if (kind === 1) {
      state.touched += chosen.length
      deleted.push(...chosen)
      await asked(() => api.remove(namespace, chosen))
    } else await upload(api, random, namespace, chosen)
  }

  const look = async (api: RecordedClient, random: Random, namespace: string, { ids }: Pool) => {
    const chosen = take(random, ids, 10)
    if (chosen.length === 0) return
    await asked(() =>
      random.chance(0.5) ? api.get(namespace, chosen) : api.search([namespace], `${random.pick(words)} ${random.pick(words)}`),
    )
  }

  const runClient = async (number: number): Promise<void> => {
    const random = seededRandom(seed * 1_000 + number)
    const account = accounts[number % accounts.length] as Account
    const api = recordedClient({ url: () => address, ...account, ledger })
    while (state.acknowledged < documents) {
      const namespace = random.pick(namespaces)
      const key = `${account.accountId} ${namespace}`
      const pool = pools.get(key) ?? { ids: [], deleted: [] }
      pools.set(key, pool)
      if (random.chance(0.1)) await look(api, random, namespace, pool)
      else if (state.onOldIds < again * state.touched && pool.ids.length > 0) await onOldIds(api, random, namespace, pool)
      else {
        const fresh = Array.from({ length: 1 + random.below(largestBatch) }, (_, index) => `d${state.made + index}-${number}`)
        await upload(api, random, namespace, fresh)
        pool.ids.push(...fresh)
      }
    }
    api.close()
  }

  return {
    namespaces,
    acknowledged: () => state.acknowledged,
    inFlight: () => state.inFlight,
    /** Share of the load that was on ids of before. */
    share: () => state.onOldIds / Math.max(1, state.touched),
    run: async (): Promise<void> => {
      await Promise.all(Array.from({ length: clients }, (_, number) => runClient(number)))
    },
  }
}

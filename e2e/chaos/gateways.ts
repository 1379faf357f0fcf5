import { setTimeout as pause } from 'node:timers/promises'
import type { Ledger, LedgerEntry } from '@cairn/testing/ledger'
import { type Recorded, type RecordedClient, recordedClient } from '@cairn/testing/recorded-client'
import { seededRandom } from '@cairn/testing/seeded-random'
import type { Cluster } from '../../scripts/cluster/cluster.ts'
import type { Account } from './load.ts'

/** Timeout of a request, in milliseconds; the outcome of a request that timed out is unknown. */
const answerWithinMs = 12_000
/** Time for which a gateway that did not answer is avoided, as by a load balancer with health checks. */
const avoidedMs = 3_000
const pauseAfterUnknownMs = 200
const lookEveryMs = 50

export type Gateways = {
  client(account: Account, number: number): RecordedClient
  /** Time when each request ended, by `performance.now()`. */
  readonly endedAt: Map<LedgerEntry, number>
}

/** Opens clients for all gateways of a cluster. Each request goes to a gateway that is believed to be up. */
export const openGateways = (options: {
  readonly cluster: Pick<Cluster, 'of'>
  readonly ledger: Ledger
  readonly seed: number
}): Gateways => {
  const { cluster, ledger, seed } = options
  const avoidedUntil = new Map<string, number>()
  const endedAt = new Map<LedgerEntry, number>()

  const client = (account: Account, number: number): RecordedClient => {
    // Separate from the load's random numbers: the choice of gateway depends on which gateways are up; the requests
    // must not.
    const random = seededRandom(seed * 7_919 + number)
    let [address, name, requests] = ['', '', 0]
    const url = () => {
      requests += 1
      return address
    }
    const inner = recordedClient({ url, ...account, ledger, withinMs: answerWithinMs })

    /** Chooses a gateway; waits while none is up. */
    const choose = async () => {
      for (;;) {
        const now = performance.now()
        const known = cluster
          .of('gateway')
          .filter((one) => one.port() !== 0 && (avoidedUntil.get(one.name) ?? 0) <= now)
        if (known.length > 0) {
          const chosen = random.pick(known)
          address = `http://127.0.0.1:${chosen.port()}`
          name = chosen.name
          return
        }
        await pause(lookEveryMs)
      }
    }
    const through = async (request: () => Promise<Recorded>): Promise<Recorded> => {
      await choose()
      requests = 0
      const recorded = await request()
      const { entry, status, body } = recorded
      endedAt.set(entry, performance.now())
      if (status === undefined) avoidedUntil.set(name, performance.now() + avoidedMs)
      // A walk may break off at any page; each requested page may have been counted.
      entry.answered = {
        ...entry.answered,
        requests,
        ...(body['error'] === 'Namespace not found' ? { notFound: true } : {}),
      }
      if (entry.outcome === 'unknown') await pause(pauseAfterUnknownMs * (1 + random.next()))
      return recorded
    }
    return {
      close: inner.close,
      createNamespace: (...of) => through(() => inner.createNamespace(...of)),
      deleteNamespace: (...of) => through(() => inner.deleteNamespace(...of)),
      upload: (...of) => through(() => inner.upload(...of)),
      remove: (...of) => through(() => inner.remove(...of)),
      get: (...of) => through(() => inner.get(...of)),
      walk: (...of) => through(() => inner.walk(...of)),
      search: (...of) => through(() => inner.search(...of)),
    }
  }
  return { client, endedAt }
}

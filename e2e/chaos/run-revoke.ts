import { setTimeout as pause } from 'node:timers/promises'
import { finish } from './finish.ts'
import type { ChaosOptions } from './options.ts'
import { makePlaces } from './places.ts'
import type { Outcome } from './report.ts'
import { steadyLoad } from './steady-load.ts'
import { askAdmin, withSystem } from './system.ts'

const clients = 4
const calmMs = 4_000
const ms = 15_000
const documents = 300
const askEveryMs = 20
/** X8: time in which every gateway must reject the revoked key. */
const refusedWithinMs = 5_000

type Seen = { readonly gateway: string; readonly at: number; readonly status: number }

/** X8: revokes a key at one gateway while it is in use; all gateways must reject it within 5 s. */
export const runRevoke = ({ seed }: ChaosOptions, say: (line: string) => void): Promise<Outcome> =>
  withSystem({ seed, documents }, async (system) => {
    const { cluster, target, accounts } = system
    const accountId = accounts[0]?.accountId ?? ''
    const admin = askAdmin(target.url, target.adminKey)
    const key = await admin<{ key_id: string; api_key: string }>('POST', `/accounts/${accountId}/keys`, {
      name: 'to be revoked',
    })
    await makePlaces(system)
    const loading = steadyLoad({ system, seed, clients, documents, ms, lateMs: ms }).run()
    const seen: Seen[] = []
    const until = performance.now() + ms
    const asking = cluster.of('gateway').map(async (gateway) => {
      while (performance.now() < until) {
        const answer = await fetch(`http://127.0.0.1:${gateway.port()}/v1/namespaces`, {
          headers: { 'x-api-key': key.api_key },
        })
        await answer.arrayBuffer()
        seen.push({ gateway: gateway.name, at: performance.now(), status: answer.status })
        await pause(askEveryMs)
      }
    })
    await pause(calmMs)
    await admin('PATCH', `/keys/${key.key_id}`, { state: 'revoked' })
    const revokedAt = performance.now()
    say('the key is revoked')
    await Promise.all([...asking, loading])
    const acceptedFor = cluster.of('gateway').map(({ name }) => {
      const own = seen.filter(({ gateway }) => gateway === name)
      const last = own.findLast(({ status }) => status === 200)
      return {
        name,
        used: own.filter(({ at, status }) => at < revokedAt && status === 200).length,
        ms: Math.max(0, Math.round((last?.at ?? 0) - revokedAt)),
      }
    })
    const odd = seen.filter(({ at, status }) => status !== 200 && (status !== 401 || at < revokedAt))
    // Requests with the revoked key are not in the ledger.
    const { figures, broken } = await finish({ system, quietFrom: performance.now(), countsUsage: false })
    return {
      title: 'a key revoked while it is used at two gateways',
      figures: {
        ...Object.fromEntries(
          acceptedFor.map(({ name, used, ms: after }) => [
            name,
            `used ${used} times before, accepted for ${after} ms after`,
          ]),
        ),
        ...figures,
      },
      broken: [
        ...broken,
        ...acceptedFor.flatMap(({ name, used, ms: after }) => [
          ...(used === 0 ? [`X8: ${name} never accepted the key`] : []),
          ...(after > refusedWithinMs ? [`X8: ${name} accepted a revoked key for ${after} ms`] : []),
        ]),
        ...odd
          .slice(0, 5)
          .map(
            ({ gateway, status, at }) =>
              `X8: ${gateway} answered ${status} ${Math.round(at - revokedAt)} ms after the key was revoked`,
          ),
      ],
      schedule: [`${calmMs / 1_000} s  revoke a key`],
    }
  })

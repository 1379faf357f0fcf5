import { setTimeout as pause } from 'node:timers/promises'
import type { ClusterEngine } from '@cairn/testing/native-engines'
import { finish } from './finish.ts'
import type { ChaosOptions } from './options.ts'
import { makePlaces } from './places.ts'
import { probeFaults, probeFigures, servedWithout, startProbes } from './probes.ts'
import type { Outcome } from './report.ts'
import { steadyLoad } from './steady-load.ts'
import { withSystem } from './system.ts'

const clients = 4
const documentsPerSecond = 20
/** Time under load before and after the outage. */
const calmMs = 5_000
/** Time for requests that were in flight when the link was cut. */
const settleMs = 1_000

export type OutageOptions = ChaosOptions & { readonly engine: ClusterEngine; readonly seconds: number }

/** R3, F4: disconnects one engine for a while; measures what clients see and how soon the system has recovered. */
export const runOutage = (options: OutageOptions, say: (line: string) => void): Promise<Outcome> => {
  const { seed, engine, seconds } = options
  const ms = 2 * calmMs + seconds * 1_000
  const documents = Math.round((documentsPerSecond * ms) / 1_000)
  return withSystem({ seed, documents }, async (system) => {
    const [account] = system.accounts
    if (!account) throw new Error('there is no account')
    await makePlaces(system)
    const load = steadyLoad({ system, seed, clients, documents, ms, lateMs: 0, churns: false })
    const loading = load.run()
    const probing = startProbes(system, account)
    await pause(calmMs)
    const cutAt = performance.now()
    const restore = await system.engines.trouble(engine, { kind: 'cut' })
    say(`${engine} is cut off for ${seconds} s`)
    await pause(seconds * 1_000)
    const backAt = performance.now()
    await restore()
    say(`${engine} is back`)
    await loading
    const probes = await probing.stop()
    const during = probes.filter(({ at, ms: took }) => at >= cutAt + settleMs && at + took < backAt)
    const storeTroubled = engine === 'mongodb' ? [{ from: cutAt, to: backAt }] : []
    const { figures, broken } = await finish({ system, quietFrom: backAt, storeTroubled })
    return {
      title: `${engine} away for ${seconds} s under ${documentsPerSecond} documents a second`,
      figures: {
        before: probeFigures(probes.filter(({ at }) => at < cutAt)),
        during: probeFigures(during),
        after: probeFigures(probes.filter(({ at }) => at >= backAt)),
        ...figures,
      },
      broken: [...broken, ...probeFaults(during, servedWithout[engine])],
      schedule: [`${calmMs / 1_000} s  link to ${engine} cut for ${seconds * 1_000} ms`],
    }
  })
}

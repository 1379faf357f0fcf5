import { applyFaults, stopFaults } from './apply-faults.ts'
import { finish } from './finish.ts'
import { openMessages } from './messages.ts'
import type { ChaosOptions } from './options.ts'
import { makePlaces } from './places.ts'
import type { Outcome } from './report.ts'
import { describeFault, scheduleOf } from './schedule.ts'
import { steadyLoad } from './steady-load.ts'
import { processNames, withSystem } from './system.ts'

const clients = 8

/** Applies the faults drawn from the seed and checks the result. */
export const runChaos = (options: ChaosOptions, say: (line: string) => void): Promise<Outcome> =>
  withSystem(
    { seed: options.seed, documents: options.documents, env: { CAIRN_AUDIT_EVERY_MINUTES: '1' } },
    async (system) => {
      const { seed, documents, minutes } = options
      const ms = minutes * 60_000
      const schedule = scheduleOf({ seed, ms, processes: processNames })
      const { engines, target } = system
      const messages = await openMessages({
        broker: engines.direct['CAIRN_KAFKA_BROKERS'] ?? '',
        prefix: target.env['CAIRN_KAFKA_PREFIX'] ?? '',
      })
      try {
        await makePlaces(system)
        say(`all is up; ${schedule.length} faults in ${ms / 1_000} s`)
        const startedAt = performance.now()
        // The load is spread over the whole run, because a load that ends early meets no faults. Delayed requests may
        // end late.
        const load = steadyLoad({ system, seed, clients, documents, ms, lateMs: ms })
        const [applied, loadedAt] = await Promise.all([
          applyFaults({ system, messages, say }, schedule, startedAt),
          load.run().then(() => performance.now()),
        ])
        const { figures, broken } = await finish({
          system,
          quietFrom: Math.max(applied.lastRestartAt, loadedAt),
          ...applied,
          rubbishAt: messages.rubbishAt,
        })
        return {
          title: `chaos, seed ${seed}: ${documents} documents from ${clients} clients, ${minutes} minutes of faults`,
          figures: {
            faults: applied.counts,
            skipped: applied.skipped,
            orderlyStops: applied.stops.length,
            rubbish: messages.rubbishAt.size,
            ...figures,
          },
          broken: [
            ...broken,
            ...(load.acknowledged() < documents
              ? [`load: ${load.acknowledged()} of ${documents} documents were taken in`]
              : []),
            ...stopFaults(applied.stops),
            ...applied.failures.map((failure) => `fault not applied: ${failure}`),
          ],
          schedule: schedule.map(
            ({ at, fault }) => `${(at / 1_000).toFixed(1).padStart(6)} s  ${describeFault(fault)}`,
          ),
        }
      } finally {
        await messages.close()
      }
    },
  )

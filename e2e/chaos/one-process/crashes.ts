import { join } from 'node:path'
import { systemClock } from '@cairn/adapters/clock/system'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { randomIds } from '@cairn/domain/ids'
import { createNamespaceTasks } from '@cairn/namespace/service'
import { createLogger } from '@cairn/runtime/process/logger'
import type { LedgerEntry } from '@cairn/testing/ledger'
import type { CheckOptions } from '../../stores.ts'
import type { Figures } from '../report.ts'
import type { OneProcess } from './one-process.ts'
import { cutTail, tearNextFrame } from './write-ahead-log.ts'

type Scene = {
  readonly system: OneProcess
  readonly dataDir: string
  /** Waits for a share of the load and for requests in flight; resolves to the number of these requests. */
  readonly reach: (share: number) => Promise<number>
}

/** Crashes of the server while the load runs. */
export type Crashes = {
  /** Resolves to figures of what was done. */
  readonly apply: (scene: Scene) => Promise<Figures>
  readonly before?: CheckOptions['before']
}

export const killing = (kills: number): Crashes => ({
  apply: async ({ system, reach }) => {
    const inFlight: number[] = []
    for (let kill = 1; kill <= kills; kill += 1) {
      inFlight.push(await reach(kill / (kills + 1)))
      await system.end('SIGKILL')
      await system.start()
    }
    return { kills, inFlight: inFlight.join(', ') }
  },
})

/** Writes a torn page of an unacknowledged commit; everything acknowledged must survive. */
export const tearing: Crashes = {
  apply: async ({ system, dataDir, reach }) => {
    await reach(0.5)
    await system.end('SIGKILL')
    for (const name of ['metadata.db-wal', 'vectors.db-wal']) tearNextFrame(join(dataDir, name))
    await system.start()
    return { torn: 'half a page behind the last commit of each store' }
  },
}

/**
 * Uploads acknowledged less than this before the cut may be lost, completely or not at all, so their outcome counts as
 * unknown.
 */
const momentMs = 1_500
const framesCut = 200

/**
 * Cuts committed bytes off, as if a disk had acknowledged a write that it did not perform. Every store then opens at an
 * earlier commit of its own.
 */
export const cutting = (say: (line: string) => void): Crashes => {
  const suspects: LedgerEntry[] = []
  return {
    apply: async ({ system, dataDir, reach }) => {
      const acknowledgedAt = new Map<LedgerEntry, number>()
      const note = () => {
        for (const entry of system.ledger.entries)
          if (entry.outcome === 'acknowledged' && !acknowledgedAt.has(entry))
            acknowledgedAt.set(entry, performance.now())
      }
      const watch = setInterval(note, 50)
      await reach(0.5)
      await system.end('SIGKILL')
      clearInterval(watch)
      note()
      const bytesCut = cutTail(join(dataDir, 'metadata.db-wal'), framesCut)
      for (const [entry, at] of acknowledgedAt) {
        if (entry.request.kind !== 'upload' || performance.now() - at > momentMs) continue
        suspects.push(entry)
        entry.outcome = 'unknown'
        entry.endedAt = Number.POSITIVE_INFINITY
      }
      await system.start()
      return { bytesCut, suspects: suspects.length }
    },
    /** Runs the hourly audit, which removes the points of lost documents. */
    before: async ({ store, vectors }) => {
      const clock = systemClock()
      // Keeps this process running during the audit's pauses, because the clock's timers do not.
      const alive = setInterval(() => undefined, 1_000)
      const bus = inMemoryMessageBus()
      const log = createLogger({ level: 'silent', name: 'audit' })
      const deps = { bus, store, vectors, clock, ids: randomIds(clock.now), log, jobRetentionMs: 30 * 86_400_000 }
      const { removed } = await createNamespaceTasks(deps).audit(new AbortController().signal)
      clearInterval(alive)
      await bus.close()
      const records = await Promise.all(suspects.map(({ answered }) => store.uploads.get(answered.uploadId ?? '')))
      const lost = records.filter((record) => !record).length
      say(
        `${lost} of the ${suspects.length} uploads of the last ${momentMs} ms are lost; ${removed} points audited away`,
      )
    },
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '@cairn/domain/store'
import { seededRandom } from '@cairn/testing/seeded-random'
import type { ClusterService } from '../../../scripts/cluster/cluster.ts'
import type { System } from '../system.ts'

const lookEveryMs = 50
/**
 * Time for work to begin. A newly started process looks for work at once; a killed process's job is free after 30 s.
 */
const workWithinMs = 45_000
const maxPauseMs = 2_500

export type Kills = { readonly kills: number; readonly inWork: number; readonly lastAt: number }

const readsNow = async (store: Store): Promise<boolean> => {
  const jobs = await store.files.unfinished(500)
  const now = await store.now()
  return jobs.some(({ state, lease }) => state === 'running' && lease !== null && lease.until > now)
}

/**
 * Kills the processes of a service in turn with SIGKILL, `times` times, each at a random moment of ongoing work, and
 * restarts them at once. `inWork` counts the kills during which a file was being read.
 */
export const killWorkers = async (
  { cluster }: Pick<System, 'cluster'>,
  store: Store,
  of: {
    readonly service: ClusterService
    readonly times: number
    readonly seed: number
    readonly say: (line: string) => void
  },
): Promise<Kills> => {
  const { service, times, seed, say } = of
  const random = seededRandom(seed)
  const processes = cluster.of(service)
  let inWork = 0
  let lastAt = performance.now()
  for (let kills = 0; kills < times; kills += 1) {
    const victim = processes[kills % processes.length]
    if (!victim) throw new Error(`there is no process of ${service}`)
    let busy = false
    for (const until = performance.now() + workWithinMs; !busy && performance.now() < until; await pause(lookEveryMs)) {
      if (victim.port() === 0 || !(await readsNow(store))) continue
      await pause(random.below(maxPauseMs))
      // Waits for the next file if a short file was finished during the pause, because the kill would otherwise hit no
      // work.
      busy = await readsNow(store)
    }
    if (busy) inWork += 1
    await victim.kill()
    victim.start()
    lastAt = performance.now()
    say(`killed ${victim.name}, ${kills + 1} of ${times}${busy ? ', while a file was being read' : ''}`)
  }
  return { kills: times, inWork, lastAt }
}

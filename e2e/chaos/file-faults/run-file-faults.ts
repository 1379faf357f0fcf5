import { openFilePlace } from '../files/file-load.ts'
import { leftBehind } from '../files/left-behind.ts'
import { watchVersions } from '../files/watch-versions.ts'
import { finish } from '../finish.ts'
import { openStores } from '../open-stores.ts'
import type { ChaosOptions } from '../options.ts'
import { makePlaces } from '../places.ts'
import type { Figures, Outcome } from '../report.ts'
import { withSystem } from '../system.ts'
import { misuseAddresses } from './addresses.ts'
import { killStoreInUploads, missAndRepeatNotices } from './notices.ts'
import { poisonParser } from './poison.ts'
import { raceDeletions } from './races.ts'
import type { Scene, Tried } from './scene.ts'
import { readTooLarge } from './too-large.ts'

const papers = { name: 'papers' }
const heapMegabytes = 128

const faults: readonly (readonly [name: string, attempt: (scene: Scene) => Promise<Tried>])[] = [
  ['F13 poison', poisonParser],
  ['F19 too large', readTooLarge],
  ['F14 notices', missAndRepeatNotices],
  ['F14 store killed', killStoreInUploads],
  ['B27 addresses', misuseAddresses],
  ['F9 races', raceDeletions],
]

/** Runs the file faults one after the other. Services and file readers have 128 MB of heap each. */
export const runFileFaults = ({ seed }: ChaosOptions, say: (line: string) => void): Promise<Outcome> => {
  const env = {
    NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}`,
    CAIRN_FILE_MEMORY_MB: String(heapMegabytes),
    CAIRN_OBJECT_EVENTS: 'on',
  }
  return withSystem({ seed, documents: 1, env }, async (system) => {
    const stores = openStores(system)
    try {
      await makePlaces(system, [papers])
      const [account] = system.accounts
      if (!account) throw new Error('there is no account')
      const place = await openFilePlace(system, stores, account, papers.name)
      const watch = watchVersions(stores.store)
      const scene = { system, stores, account, place, seed, say }
      const all: Record<string, Figures> = {}
      const broken: string[] = []
      for (const [name, attempt] of faults) {
        const from = performance.now()
        say(`${name} …`)
        const tried = await attempt(scene)
        all[name] = { ...tried.figures, seconds: Math.round((performance.now() - from) / 1_000) }
        broken.push(...tried.broken)
      }
      const versions = await watch.stop()
      const end = await finish({
        system,
        quietFrom: performance.now(),
        countsUsage: false,
        places: [papers],
        walks: false,
      })
      return {
        title: `faults of files, seed ${seed}`,
        figures: { ...all, versionsShown: versions.published, ...end.figures },
        broken: [...broken, ...versions.faults, ...end.broken, ...leftBehind(system.scratch)],
        schedule: faults.map(([name]) => name),
      }
    } finally {
      await stores.close()
    }
  })
}

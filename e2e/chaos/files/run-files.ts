import { seededRandom } from '@cairn/testing/seeded-random'
import { finish } from '../finish.ts'
import { openStores } from '../open-stores.ts'
import type { ChaosOptions } from '../options.ts'
import { makePlaces } from '../places.ts'
import type { Outcome } from '../report.ts'
import { withSystem } from '../system.ts'
import { replaceDrafts } from './drafts.ts'
import { openFilePlace, runFileLoad, untilRead } from './file-load.ts'
import { planFiles } from './file-plan.ts'
import { judgeFiles } from './judge-files.ts'
import { killWorkers } from './kill-workers.ts'
import { leftBehind } from './left-behind.ts'
import { watchVersions } from './watch-versions.ts'

const atOnce = 6
/** Duration of the load per kill, so that the load lasts about as long as the kills. */
const msPerKill = 5_000
const ingestionShare = 1 / 3
/**
 * Long enough for leases of killed processes to expire and all files to be read; on two cores a file takes about a
 * second.
 */
const readWithinMs = 420_000
const documentsEach = 10
/**
 * Documents of the run per file. The quota of the smallest account is a twelfth of all documents, which suffices for
 * all of its small files but for no large one.
 */
const roomPerFile = 36

const papers = { name: 'papers' }

export type FilesOptions = ChaosOptions & { readonly files: number; readonly kills: number }

/**
 * I8: uploads files of every type while the processes of the file pipeline and of ingestion are killed. Each file must
 * reach one final state, and nothing else may be left.
 */
export const runFiles = (options: FilesOptions, say: (line: string) => void): Promise<Outcome> => {
  const { seed, files: count, kills } = options
  return withSystem({ seed, documents: count * roomPerFile }, async (system) => {
    const { accounts, client, scratch } = system
    const stores = openStores(system)
    try {
      await makePlaces(system, [papers])
      for (const [number, account] of accounts.entries()) {
        const api = client(account, number)
        const documents = Array.from({ length: documentsEach }, (_, index) => ({
          id: `document-${index}`,
          text: `Document ${index} of account ${number} lies beside the files.`,
          metadata: {},
        }))
        await api.upload(papers.name, documents)
        api.close()
      }
      const plan = planFiles(seed, count, accounts.length)
      const places = await Promise.all(
        accounts.map((account, number) => openFilePlace(system, stores, account, papers.name, number)),
      )
      const watch = watchVersions(stores.store)
      const ms = Math.max(20_000, kills * msPerKill)
      say(`all is up; ${count} files in ${ms / 1_000} s`)
      const readAll = async () => {
        const [fates, ofPipeline, ofIngestion] = await Promise.all([
          runFileLoad({ plan, places, atOnce, ms }),
          killWorkers(system, stores.store, { service: 'file-pipeline', times: kills, seed: seed + 1, say }),
          killWorkers(system, stores.store, {
            service: 'ingestion',
            times: Math.ceil(kills * ingestionShare),
            seed: seed + 2,
            say,
          }),
        ])
        const present = fates.flatMap(({ file, place, last }) => (last ? [{ place, name: file.name }] : []))
        const unread = await untilRead(stores, present, readWithinMs)
        const lastAt = Math.max(ofPipeline.lastAt, ofIngestion.lastAt)
        return {
          fates,
          ofPipeline,
          ofIngestion,
          unread,
          secondsToRead: Math.round((performance.now() - lastAt) / 1_000),
        }
      }
      const [{ fates, ofPipeline, ofIngestion, unread, secondsToRead }, drafts] = await Promise.all([
        readAll(),
        Promise.all(
          accounts.map((account, number) =>
            replaceDrafts(system, stores, account, number, seededRandom(seed * 10 + number)),
          ),
        ),
      ])
      const judged = await judgeFiles(stores, fates, accounts.length - 1)
      const versions = await watch.stop()
      const { figures, broken } = await finish({
        system,
        quietFrom: performance.now(),
        countsUsage: false,
        places: [papers],
        walks: false,
      })
      return {
        title: `files, seed ${seed}: ${count} files, ${kills} kills of the pipeline`,
        figures: {
          files: count,
          ...judged.ends,
          sentAgainAlike: fates.reduce((sum, { repeats }) => sum + repeats, 0),
          contents: fates.reduce((sum, { contents }) => sum + contents, 0),
          versionsShown: versions.published,
          namespacesReplaced: drafts.length,
          kills: { 'file-pipeline': kills, 'while reading': ofPipeline.inWork, ingestion: ofIngestion.kills },
          secondsFromLastKillToRead: secondsToRead,
          ...figures,
        },
        broken: [
          ...unread,
          ...judged.faults,
          ...versions.faults,
          ...drafts.flat(),
          ...(ofPipeline.inWork * 2 < kills
            ? [`load: only ${ofPipeline.inWork} of ${kills} kills hit a file that was being read`]
            : []),
          ...broken,
          ...leftBehind(scratch),
        ],
        schedule: [],
      }
    } finally {
      await stores.close()
    }
  })
}

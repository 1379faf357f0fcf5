import { join } from 'node:path'
import { sqliteStore } from '@cairn/adapters/store/sqlite'
import { createDueJobs } from '@cairn/domain/jobs/due-jobs'
import { latenciesOf, latencyFigures } from './harness/latencies.ts'
import type { Row } from './harness/row.ts'

const accounts = 1_000
const jobsPerAccount = 2
const choices = 1_000
const lanes = ['short', 'long'] as const

export const row: Row = {
  name: 'choosing',
  what: 'choosing the next job among accounts that all have due jobs',
  method: `${accounts.toLocaleString('en')} accounts with ${jobsPerAccount} due uploads each in one SQLite file; ${choices.toLocaleString('en')} choices one after the other, each by its look-ups alone: the lease that follows is not counted.`,
  warmUps: 0,
  figures: latencyFigures,
  marks: [{ what: 'one choice, p50', figure: 'p50', sides: ['sqlite'], atMost: 1 }],
  open: async ({ directory, quick }) => {
    const store = sqliteStore({ file: join(directory, 'metadata.db') })
    const at = Date.now()
    const many = quick ? 100 : accounts
    for (let index = 0; index < many; index += 1) {
      const [accountId, namespaceId] = [`acc_${index}`, `ns_${index}`]
      await store.accounts.insert({
        id: accountId,
        name: accountId,
        tier: 'enterprise',
        subscriptionEndsAt: null,
        createdAt: at,
      })
      const embedding = { provider: 'lexical', model: 'words', dimension: 256 } as const
      const namespace = {
        id: namespaceId,
        accountId,
        name: 'bench',
        type: 'text',
        dimension: null,
        embedding,
        createdAt: at,
      } as const
      await store.createNamespace({ ...namespace, limit: null })
      for (let job = 0; job < jobsPerAccount; job += 1) {
        const documents = [{ id: `d${job}`, body: { text: 'a line of text', metadata: '{}' } }]
        const request = {
          correlationId: 'bench',
          traceparent: null,
          rejected: [],
          limit: null,
          kind: 'text',
          at,
        } as const
        await store.accept({ uploadId: `up_${index}_${job}`, accountId, namespaceId, documents, ...request })
      }
    }
    const measure = async () => {
      const dueJobs = createDueJobs(store.uploads)
      const times: number[] = []
      for (let choice = 0; choice < Math.min(choices, many); choice += 1) {
        const from = performance.now()
        const found = await dueJobs.next(lanes, () => true)
        times.push(performance.now() - from)
        const [job] = typeof found === 'string' ? [] : found.jobs
        if (typeof found === 'string' || !job) throw new Error('nothing was due')
        dueJobs.recordStarted(found, job)
      }
      return latenciesOf(times)
    }
    return { sides: [{ name: 'sqlite', round: measure }], close: () => store.close() }
  },
}

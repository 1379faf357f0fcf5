import type { Backlog, BacklogJob } from './port.ts'
import { type Collection, count, find, findLast, now, type ReadProtocol } from './steps.ts'

/** Jobs read of each kind. A longer queue is counted, which costs an index scan. */
const most = { queued: 200, running: 100, ended: 64 }

const shared = [
  'id',
  'accountId',
  'namespaceId',
  'bytes',
  'lane',
  'nextAttemptAt',
  'lease',
  'startedAt',
  'endedAt',
] as const

/** By kind: the fields that are needed, and states of work that has ended, with the field by whose order the last are found. */
const kinds = {
  uploads: { fields: shared, ended: [['completed', 'updatedAt']] },
  files: {
    fields: [...shared, 'name', 'object', 'stage', 'times'],
    ended: [['completed', 'nextAttemptAt']],
  },
  deletions: {
    fields: [...shared, 'target', 'itemCount', 'removed'],
    ended: [
      ['completed', 'updatedAt'],
      ['rechecking', 'updatedAt'],
    ],
  },
} as const

/** See `JobStore.backlog`. */
export function* backlog(name: Extract<Collection, keyof typeof kinds>): ReadProtocol<Backlog> {
  const at = yield* now()
  // The type of one of them: all have the shared fields.
  const collection = name as 'files'
  const fields = kinds[name].fields as typeof kinds.files.fields
  const ended: BacklogJob[] = []
  for (const [state, order] of kinds[name].ended)
    ended.push(...(yield* findLast(`${name}: last ended`, collection, { state }, [order], most.ended, fields)))
  const running = yield* find(
    `${name}: running`,
    collection,
    { state: 'running' },
    ['nextAttemptAt'],
    most.running,
    fields,
  )
  const queued = yield* find(
    `${name}: first queued`,
    collection,
    { state: 'queued' },
    ['nextAttemptAt'],
    most.queued,
    fields,
  )
  const all =
    queued.length < most.queued ? queued.length : yield* count(`${name}: count queued`, collection, { state: 'queued' })
  return { at, ended, running, queued, unread: Math.max(0, all - queued.length) }
}

import type { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createGroupWriter, failGroup } from './groups.ts'
import { toFailure, type WriteRequest } from './messages.ts'
import { openForWriting } from './schema.ts'
import type { WorkerCall } from './worker-link.ts'

/**
 * The thread that owns the write connection. What has queued while a commit ran is the next group, and is answered after its commit:
 * many small writes share one wait for the disk.
 */
if (!parentPort) throw new Error('This file is the entry of a worker thread')
const port = parentPort
const { file } = workerData as { readonly file: string }

/** Ends a group: the first of it should not wait for thousands of others. */
const pointsPerGroup = 2_000
const callsPerGroup = 256

type Call = WorkerCall<WriteRequest>

let store: { readonly db: DatabaseSync; readonly writeGroup: ReturnType<typeof createGroupWriter> } | undefined

const open = () => {
  const db = openForWriting(file)
  return { db, writeGroup: createGroupWriter(db) }
}

const writeGroup = (group: readonly Call[]) => {
  try {
    store ??= open()
  } catch (error) {
    return failGroup(group, toFailure(error))
  }
  return store.writeGroup(group)
}

const pointsOf = ({ request }: Call): number => (request.kind === 'upsert' ? request.points.itemIds.length : 1)

/** The given message and those that wait behind it, up to the size of a group. */
const collect = (first: Call | 'close'): { readonly group: readonly Call[]; readonly closes: boolean } => {
  const group: Call[] = []
  let points = 0
  let next: Call | 'close' | undefined = first
  while (next !== undefined && next !== 'close') {
    group.push(next)
    points += pointsOf(next)
    if (points >= pointsPerGroup || group.length >= callsPerGroup) return { group, closes: false }
    next = receiveMessageOnPort(port)?.message
  }
  return { group, closes: next === 'close' }
}

port.on('message', (message: Call | 'close') => {
  const { group, closes } = collect(message)
  if (group.length > 0) port.postMessage(writeGroup(group))
  if (!closes) return
  store?.db.close()
  port.close()
})

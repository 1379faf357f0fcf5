import type { DatabaseSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createGroupWriter, failGroup } from './groups.ts'
import { toFailure, type WriteRequest } from './messages.ts'
import { openForWriting } from './schema.ts'
import type { WorkerCall } from './worker-link.ts'

/**
 * The thread that owns the write connection. Requests queued during a commit form the next group and are answered after
 * its commit: many small writes share one wait for the disk.
 */
if (!parentPort) throw new Error('This file is the entry of a worker thread')
const port = parentPort
const { file } = workerData as { readonly file: string }

/** Limits of a group, so that its first request does not wait for thousands of others. */
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

/** Returns the message and those queued behind it, up to the limits of a group. */
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

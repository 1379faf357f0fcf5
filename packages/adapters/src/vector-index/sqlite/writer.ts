import { workerData } from 'node:worker_threads'
import type { Call } from '../../threads/messages.ts'
import { runWriter } from '../../threads/run-writer.ts'
import { createGroupWriter } from './groups.ts'
import { type Change, indexError, type WriteRequest } from './messages.ts'
import { openForWriting } from './schema.ts'

const { file } = workerData as { readonly file: string }

/** So that the first request does not wait for thousands of others. */
const pointsPerGroup = 2_000
const callsPerGroup = 256

const pointsOf = ({ request }: Call<WriteRequest>): number =>
  request.kind === 'upsert' ? request.points.itemIds.length : 1

const collect = (next: () => Call<WriteRequest> | undefined): readonly Call<WriteRequest>[] => {
  const group: Call<WriteRequest>[] = []
  let points = 0
  while (points < pointsPerGroup && group.length < callsPerGroup) {
    const call = next()
    if (!call) break
    group.push(call)
    points += pointsOf(call)
  }
  return group
}

const open = () => {
  try {
    return openForWriting(file)
  } catch (error) {
    throw indexError(error)
  }
}

runWriter<WriteRequest, readonly Change[]>(() => {
  const db = open()
  const writeGroup = createGroupWriter(db)
  return { commit: (next) => writeGroup(collect(next)), close: () => db.close() }
})

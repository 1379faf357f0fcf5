import type { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { type Call, type FromThread, type ToThread, toFailure } from '../../threads/messages.ts'
import { createMissingPoints } from '../embedded/missing-points.ts'
import { createPointListing } from '../embedded/point-listing.ts'
import { createPointSearch } from '../embedded/point-search.ts'
import { createResidents } from '../embedded/residents.ts'
import { createTimeSlices } from '../embedded/time-slices.ts'
import { createVectorsOf } from '../embedded/vectors-of.ts'
import { indexError, type ReadNotice, type ReadRequest } from './messages.ts'
import { createPointReads } from './reads.ts'
import { openForReading } from './schema.ts'

/** The search thread. Long searches pause every few milliseconds, so that short ones do not wait for them. */
if (!parentPort) throw new Error('This file is the entry of a worker thread')
const port = parentPort
const { file, memoryBytes, statisticsMs } = workerData as {
  readonly file: string
  readonly memoryBytes: number
  readonly statisticsMs: number
}

const sliceMs = 5

const send = (message: FromThread<never>): void => port.postMessage(message)

const open = () => {
  const db: DatabaseSync = openForReading(file)
  const reads = createPointReads(db)
  const residents = createResidents({ reads, memoryBytes, sliceMs })
  return {
    db,
    reads,
    residents,
    ...createPointSearch({ reads, residents, sliceMs, statisticsMs }),
    list: createPointListing(reads),
    missing: createMissingPoints(reads),
    vectorsOf: createVectorsOf(reads),
  }
}

let store: ReturnType<typeof open> | undefined
let underWay = 0
let isClosing = false

const answer = async (request: ReadRequest): Promise<unknown> => {
  store ??= open()
  switch (request.kind) {
    case 'search':
      return store.search(request)
    case 'searchWords':
      return store.searchWords(request)
    case 'list':
      return store.list(request, createTimeSlices(sliceMs))
    case 'vectorsOf':
      return store.vectorsOf(request, createTimeSlices(sliceMs))
    case 'missing':
      return store.missing(request, createTimeSlices(sliceMs))
  }
}

const closeWhenIdle = (): void => {
  if (!isClosing || underWay > 0) return
  store?.db.close()
  port.close()
}

const handle = async ({ id, request }: Call<ReadRequest>): Promise<void> => {
  underWay++
  try {
    send({ answers: [{ id, value: await answer(request) }] })
  } catch (error) {
    send({ answers: [{ id, failure: toFailure(indexError(error)) }] })
  } finally {
    underWay--
    closeWhenIdle()
  }
}

const receive = (message: ToThread<ReadRequest, ReadNotice>[number]): void => {
  if (message === 'close') {
    isClosing = true
    closeWhenIdle()
  } else if ('request' in message) void handle(message)
  else if (message.notice.kind === 'forget') store?.residents.forget()
  else for (const change of message.notice.changes) store?.residents.apply(change)
}

port.on('message', (messages: ToThread<ReadRequest, ReadNotice>) => messages.forEach(receive))

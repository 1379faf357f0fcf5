import type { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { type Call, type FromThread, type ToThread, toFailure } from '../../threads/messages.ts'
import { createMissingPoints, createVectorsOf } from './lookups.ts'
import { indexError, type ReadNotice, type ReadRequest } from './messages.ts'
import { createPointListing } from './point-listing.ts'
import { PointSearch } from './point-search.ts'
import { PointReads } from './reads.ts'
import { openForReading } from './schema.ts'
import { createSliceTurns } from './time-slices.ts'
import { createVectorCache } from './vector-cache.ts'

/**
 * The search thread. Searches pause every few milliseconds and accounts take turns, so a short search waits for one
 * slice of each other account.
 */
if (!parentPort) throw new Error('This file is the entry of a worker thread')
const port = parentPort
const { file, memoryBytes, statisticsMs } = workerData as {
  readonly file: string
  readonly memoryBytes: number
  readonly statisticsMs: number
}

const sliceMs = 5
/** For one request. Slots of removed points are reused later than this (`sqlite/writes.ts`). */
const maxMs = 30_000
/** Owner of work that serves all accounts. */
const noAccount = ''
const newSlices = createSliceTurns(sliceMs)

const send = (message: FromThread<never>): void => port.postMessage(message)

const open = () => {
  const db: DatabaseSync = openForReading(file)
  const reads = new PointReads(db)
  const vectorCache = createVectorCache({ reads, memoryBytes, newSlices: () => newSlices(noAccount) })
  return {
    db,
    vectorCache,
    points: new PointSearch(reads, vectorCache, statisticsMs),
    list: createPointListing(reads),
    missing: createMissingPoints(reads),
    vectorsOf: createVectorsOf(reads),
  }
}

let store: ReturnType<typeof open> | undefined
const underWay = new Map<number, AbortController>()
let isClosing = false

const answer = async (request: ReadRequest, signal: AbortSignal): Promise<unknown> => {
  const slices = newSlices(request.owner ?? noAccount, { signal, maxMs })
  await slices.next()
  store ??= open()
  switch (request.kind) {
    case 'search':
      return store.points.search(request, slices)
    case 'searchWords':
      return store.points.searchWords(request, slices)
    case 'frequencies':
      return store.points.frequencies(request, slices)
    case 'list':
      return store.list(request, slices)
    case 'vectorsOf':
      return store.vectorsOf(request, slices)
    case 'missing':
      return store.missing(request, slices)
  }
}

const closeWhenIdle = (): void => {
  if (!isClosing || underWay.size > 0) return
  store?.db.close()
  port.close()
}

const handle = async ({ id, request }: Call<ReadRequest>): Promise<void> => {
  const cancelled = new AbortController()
  underWay.set(id, cancelled)
  try {
    send({ answers: [{ id, value: await answer(request, cancelled.signal) }] })
  } catch (error) {
    send({ answers: [{ id, failure: toFailure(indexError(error)) }] })
  } finally {
    underWay.delete(id)
    closeWhenIdle()
  }
}

const receive = (message: ToThread<ReadRequest, ReadNotice>[number]): void => {
  if (message === 'close') {
    isClosing = true
    closeWhenIdle()
  } else if ('request' in message) void handle(message)
  else if ('cancel' in message) underWay.get(message.cancel)?.abort()
  else if (message.notice.kind === 'forget') store?.vectorCache.forget()
  else for (const change of message.notice.changes) store?.vectorCache.apply(change)
}

port.on('message', (messages: ToThread<ReadRequest, ReadNotice>) => messages.forEach(receive))

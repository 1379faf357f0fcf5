// What the metadata store could do if accepting a document were nothing but writing its row: the same table, the same row, the
// same durability, one thread that writes, several callers that wait for their commit.
import { Worker } from 'node:worker_threads'
import { answerQuestions, optionsOf } from '../harness/subject.ts'
import { kilobyte, nextId } from '../harness/upload-request.ts'

export type RawOptions = { readonly directory: string }
export type RawLoad = {
  readonly callers: number
  readonly rowsPerCall: number
  readonly milliseconds: number
  readonly isGrouped: boolean
}
export type RawRow = readonly [namespaceId: string, id: string, status: string, updatedAt: number, document: string]

const options = optionsOf<RawOptions>()
const worker = new Worker(new URL('./raw-sqlite-writer.ts', import.meta.url), { workerData: options })
const waiting = new Map<number, () => void>()
let lastCall = 0
worker.on('message', (calls: readonly number[]) => {
  for (const call of calls) {
    waiting.get(call)?.()
    waiting.delete(call)
  }
})
worker.on('error', (error) => {
  throw error
})

const namespaceId = 'ns_01jd0000000000000000000000'
const version = 'upload_01jd0000000000000000000000'
const at = Date.now()
const body = JSON.stringify({ text: kilobyte, metadata: '{"source":"bench"}' })
const rest = `"kind":"document","version":"${version}","status":"processing","reason":null,"stale":[],"createdAt":${at},"updatedAt":${at},"body":${body},"indexed":null}`

const row = (): RawRow => {
  const id = nextId()
  return [namespaceId, id, 'processing', at, `{"namespaceId":"${namespaceId}","id":"${id}",${rest}`]
}

const insert = (rows: readonly RawRow[], isGrouped: boolean): Promise<void> =>
  new Promise((resolve) => {
    lastCall += 1
    waiting.set(lastCall, resolve)
    worker.postMessage({ call: lastCall, rows, isGrouped })
  })

const load = async ({ callers, rowsPerCall, milliseconds, isGrouped }: RawLoad) => {
  const from = performance.now()
  let rows = 0
  const call = async () => {
    while (performance.now() - from < milliseconds) {
      await insert(Array.from({ length: rowsPerCall }, row), isGrouped)
      if (performance.now() - from < milliseconds) rows += rowsPerCall
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
  return rows
}

answerQuestions({ load }, () => worker.terminate())

// An upper bound for the record store of one process: one writer thread inserts rows as the product does (same
// table, indexes and synchronous=FULL), while several callers wait for their commits.
import { Worker } from 'node:worker_threads'
import { keepBusy } from '../harness/keep-busy.ts'
import { answerQuestions, optionsOf } from '../harness/subject.ts'
import { kilobyte, nextId } from '../harness/upload-request.ts'

export type RawOptions = { readonly directory: string }
export type RawLoad = { readonly callers: number; readonly rowsPerCall: number; readonly milliseconds: number }
export type RawRow = readonly [namespaceId: string, id: string, status: string, updatedAt: number, document: string]

const options = optionsOf<RawOptions>()
const worker = new Worker(new URL('./raw-sqlite-writer.ts', import.meta.url), { workerData: options })
const waiting = new Map<number, () => void>()
let lastCall = 0
worker.on('message', (call: number) => {
  waiting.get(call)?.()
  waiting.delete(call)
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

const insert = (rows: readonly RawRow[]): Promise<void> =>
  new Promise((resolve) => {
    lastCall += 1
    waiting.set(lastCall, resolve)
    worker.postMessage({ call: lastCall, rows })
  })

const load = async ({ callers, rowsPerCall, milliseconds }: RawLoad) =>
  rowsPerCall * (await keepBusy(callers, milliseconds, () => insert(Array.from({ length: rowsPerCall }, row))))

answerQuestions({ load }, () => worker.terminate())

import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { sendFile, untilCompleted } from './files/send-file.ts'
import { type ApiAddress, connectApi } from './harness/api-client.ts'
import { startProduct } from './harness/product.ts'
import type { Measured, Row } from './harness/row.ts'
import { kilobyte } from './harness/upload-request.ts'

const namespace = 'bench'
const documentsPerBatch = 100
const batches = 15
const files = 8
const csvRows = 4_000
const pollEveryMs = 20
const withinMs = 600_000

let made = 0

const upload = async (address: ApiAddress, texts: readonly string[]): Promise<string> => {
  const api = await connectApi(address)
  try {
    const documents = texts.map((text) => ({ id: `d${++made}`, text }))
    const answer = await api.call<{ upload_id: string }>('POST', `/v1/namespaces/${namespace}/documents`, 202, {
      documents,
    })
    return answer.upload_id
  } finally {
    api.close()
  }
}

const untilIndexed = async (address: ApiAddress, uploadId: string): Promise<void> => {
  const api = await connectApi(address)
  try {
    for (const from = performance.now(); performance.now() - from < withinMs; await pause(pollEveryMs)) {
      const path = `/v1/namespaces/${namespace}/uploads/${uploadId}`
      const { processing_status: status } = await api.call<{ processing_status: string }>('GET', path, 200)
      if (status === 'completed') return
      if (status === 'failed') throw new Error(`${uploadId} failed`)
    }
    throw new Error(`${uploadId} was not indexed in time`)
  } finally {
    api.close()
  }
}

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1_000
}

/** Two accounts: what one sends by itself, then a queue of it, and behind that a short one of the other. */
const measure = async (
  send: (account: 'many' | 'few', isShort: boolean) => Promise<() => Promise<unknown>>,
  queued: number,
) => {
  const short = await secondsOf(async () => (await send('few', true))())
  const one = await secondsOf(async () => (await send('many', false))())
  const ends: (() => Promise<unknown>)[] = []
  for (let sent = 0; sent < queued; sent += 1) ends.push(await send('many', false))
  const waited = await secondsOf(async () => (await send('few', true))())
  const all = waited + (await secondsOf(() => Promise.all(ends.map((end) => end()))))
  return { short, one, waited, all, ratio: waited / one } satisfies Measured
}

const csv = (): string => {
  const rows = Array.from(
    { length: csvRows },
    (_, row) => `${row},${kilobyte.slice(row % 400, (row % 400) + 70)},${made}`,
  )
  return ['number,text,file', ...rows].join('\n')
}

export const row: Row = {
  name: 'fairness',
  what: 'how long a short job of one account waits behind a queue of another account',
  method: `One process with the local model. documents: ${batches} batches of ${documentsPerBatch} documents of 1 KB by one account, then one document of a line by another, from its request until its upload is completed. files: ${files} CSVs of ${csvRows.toLocaleString('en')} rows, some 330 kB, then a text file of one line. "one" is a batch, or a CSV, of the first account on an idle process; "short" the other's job on an idle process; "all" when the queue is done.`,
  pinned: false,
  warmUps: 0,
  figures: [
    { name: 'short', unit: 's', digits: 2 },
    { name: 'one', unit: 's', digits: 2 },
    { name: 'waited', unit: 's', digits: 2 },
    { name: 'ratio', unit: 'waited ÷ one', digits: 2 },
    { name: 'all', unit: 's', digits: 1 },
  ],
  marks: [
    { what: 'waited ÷ one batch', figure: 'ratio', sides: ['documents'], atMost: 1.2 },
    { what: 'waited ÷ one CSV', figure: 'ratio', sides: ['files'], atMost: 1.2 },
  ],
  open: async (context) => {
    const product = await startProduct(context, { embedder: 'local' })
    const { port } = product
    const addresses = {
      many: { port, apiKey: product.apiKey },
      few: { port, apiKey: await product.subject.ask<string>('addAccount', 'few') },
    }
    const api = await connectApi(addresses.few)
    await api.call('POST', '/v1/namespaces', 201, { namespace_name: namespace, type: 'text' })
    api.close()
    const sendDocuments = async (account: 'many' | 'few', isShort: boolean) => {
      const texts = isShort ? ['One line of text.'] : Array.from({ length: documentsPerBatch }, () => kilobyte)
      const uploadId = await upload(addresses[account], texts)
      return () => untilIndexed(addresses[account], uploadId)
    }
    const sendFiles = async (account: 'many' | 'few', isShort: boolean) => {
      const name = `${++made}.${isShort ? 'txt' : 'csv'}`
      const bytes = Buffer.from(isShort ? 'One line of text.' : csv())
      await sendFile(addresses[account], namespace, name, {
        sizeBytes: bytes.length,
        body: () => Readable.from([bytes]),
      })
      return () => untilCompleted(addresses[account], namespace, name, withinMs)
    }
    return {
      sides: [
        { name: 'documents', round: () => measure(sendDocuments, context.quick ? 3 : batches) },
        { name: 'files', round: () => measure(sendFiles, context.quick ? 2 : files) },
      ],
      close: product.subject.close,
    }
  },
}

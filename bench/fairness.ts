import { Readable } from 'node:stream'
import { sendFile, untilCompleted } from './files/send-file.ts'
import { newIds, sendDocuments, untilIndexed } from './harness/documents.ts'
import { createNamespace } from './harness/namespaces.ts'
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

type Account = 'many' | 'few'

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const from = performance.now()
  await work()
  return (performance.now() - from) / 1_000
}

/**
 * Measures one job of each account on an idle process, then a queue of one account's jobs followed by a short job of
 * the other account.
 */
const measure = async (
  send: (account: Account, isShort: boolean) => Promise<() => Promise<unknown>>,
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
    const few = { ...product, apiKey: await product.subject.ask<string>('addAccount', 'few') }
    await createNamespace(few, namespace)
    const targets = { many: product, few }
    const sendBatch = async (account: Account, isShort: boolean) => {
      const textOf = (id: string) => (isShort ? `${id}: one line of text.` : `${id} ${kilobyte}`)
      const uploads = await sendDocuments(targets[account], newIds(isShort ? 1 : documentsPerBatch), (id) => ({
        text: textOf(id),
      }))
      return () => untilIndexed(targets[account], uploads, { withinMs, everyMs: pollEveryMs })
    }
    const sendOneFile = async (account: Account, isShort: boolean) => {
      const name = `${++made}.${isShort ? 'txt' : 'csv'}`
      const bytes = Buffer.from(isShort ? 'One line of text.' : csv())
      await sendFile(targets[account], namespace, name, {
        sizeBytes: bytes.length,
        body: () => Readable.from([bytes]),
      })
      return () => untilCompleted(targets[account], namespace, name, withinMs)
    }
    return {
      sides: [
        { name: 'documents', round: () => measure(sendBatch, context.quick ? 3 : batches) },
        { name: 'files', round: () => measure(sendOneFile, context.quick ? 2 : files) },
      ],
      close: product.subject.close,
    }
  },
}

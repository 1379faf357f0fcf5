import { existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type GeneratedType, generatedFile } from './files/generated-file.ts'
import { sendFile, untilCompleted } from './files/send-file.ts'
import { callApi } from './harness/api-client.ts'
import { diskUsage } from './harness/disk-usage.ts'
import { startProduct } from './harness/product.ts'
import { residentMb, watchResident } from './harness/resident-memory.ts'
import type { Context, Measured, Row } from './harness/row.ts'

const types: readonly GeneratedType[] = ['txt', 'csv', 'json', 'md']
const megabyte = 1_000_000
const diskEveryMs = 250
const withinMs = 6 * 3_600_000

/**
 * Sends a file to a new service, waits until all of it can be found, and searches once, because the index allocates
 * memory on the first search.
 */
const readOne = async (context: Context, type: GeneratedType, sizeBytes: number): Promise<Measured> => {
  const directory = mkdtempSync(join(context.directory, 'data-'))
  const product = await startProduct({ ...context, directory }, { embedder: 'lexical' })
  try {
    const { pid } = product.subject
    const name = `large.${type}`
    const before = residentMb(pid)
    const memory = watchResident(pid)
    let scratch = 0
    const disk = setInterval(() => {
      scratch = Math.max(scratch, diskUsage(join(directory, 'scratch')))
    }, diskEveryMs)
    const from = performance.now()
    await sendFile(product, product.namespace, name, { sizeBytes, body: () => generatedFile(type, sizeBytes) })
    const sent = performance.now()
    const { chunks } = await untilCompleted(product, product.namespace, name, withinMs).finally(() =>
      clearInterval(disk),
    )
    const seconds = (performance.now() - from) / 1_000
    const { own, child } = memory.stop()
    const searching = watchResident(pid)
    const search = { query: 'kari nosta morvi', namespaces: [product.namespace] }
    await callApi(product, 'POST', '/v1/search', 200, search)
    return {
      service: own - before,
      child,
      scratch: scratch / sizeBytes,
      rate: sizeBytes / megabyte / seconds,
      chunks: chunks / seconds,
      count: chunks,
      sending: (sent - from) / 1_000,
      seconds,
      searched: Math.max(own, searching.stop().own) - before,
    }
  } finally {
    await product.subject.close()
    await rm(directory, { recursive: true, force: true })
  }
}

export const row: Row = {
  name: 'S5',
  what: 'one large file: memory of each process, scratch disk, time',
  method:
    'A made file of 1 GB of each type (--megabytes for another size), sent through a pre-signed address to a service of one process that has just begun, lexical embedder; from the first byte of the PUT until the file is `completed`, which is when its last chunk can be found. Service: the most VmRSS less what it had idle before the PUT, looked at every 50 ms. Child: the most VmRSS of the process that reads the file. Scratch: the most in the scratch folder over the size of the file. Searched: the same as service, with a first search after the end, for which the index makes the codes it searches by.',
  warmUps: 0,
  figures: [
    { name: 'service', unit: 'MiB more', digits: 1 },
    { name: 'child', unit: 'MiB resident', digits: 1 },
    { name: 'scratch', unit: '× the file', digits: 3 },
    { name: 'rate', unit: 'MB/s', digits: 2 },
    { name: 'chunks', unit: 'chunks/s', digits: 0 },
    { name: 'count', unit: 'chunks', digits: 0 },
    { name: 'sending', unit: 's of the PUT', digits: 1 },
    { name: 'seconds', unit: 's in all', digits: 1 },
    { name: 'searched', unit: 'MiB more, searched', digits: 1 },
  ],
  marks: types.flatMap((type) => [
    { what: `${type}: growth of the service, MiB`, figure: 'service', sides: [type] as const, atMost: 256 },
    { what: `${type}: the child, MiB`, figure: 'child', sides: [type] as const, atMost: 256 },
    { what: `${type}: scratch ÷ file`, figure: 'scratch', sides: [type] as const, atMost: 1 },
  ]),
  missing: async () => (existsSync('/proc/self/status') ? undefined : 'it is read from /proc'),
  open: async (context) => {
    const sizeBytes = (context.megabytes ?? (context.quick ? 0.3 : 1_000)) * megabyte
    return {
      sides: types.map((type) => ({ name: type, round: () => readOne(context, type, sizeBytes) })),
    }
  },
}

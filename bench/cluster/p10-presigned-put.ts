import { readFileSync } from 'node:fs'
import { filesAt } from '../../e2e/upgrade/cluster-text.ts'
import { bytesOf } from '../files/random-bytes.ts'
import { putTo, sendFile } from '../files/send-file.ts'
import { withCluster } from '../harness/cluster.ts'
import { missingEngines } from '../harness/engines.ts'
import { createNamespace } from '../harness/namespaces.ts'
import type { Measured, Row } from '../harness/row.ts'

const namespace = 'bench'
const megabyte = 1_000_000

/** Returns the number of bytes that a process has read and written so far, sockets included. */
const movedBytes = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8')
  const of = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1])
  return of('rchar') + of('wchar')
}

export const row: Row = {
  name: 'cluster-P10',
  what: 'a large file through a pre-signed address of the gateway, against the same PUT to the object store alone',
  method:
    'One PUT of 1 GB (--megabytes for another size), made while it is sent, to MinIO. On the one side with the address asked of the gateway, the request included, on the other with an address signed beside the store. Moved: what the gateway has read from and written to files and sockets meanwhile (/proc/<pid>/io), over the size of the file. No process reads the file afterwards, and it is removed after each round.',
  figures: [
    { name: 'rate', unit: 'MB/s', digits: 1 },
    { name: 'moved', unit: '× the file', digits: 6 },
  ],
  marks: [
    { what: 'pre-signed ÷ straight to the store', figure: 'rate', sides: ['pre-signed', 'straight'], atLeast: 0.95 },
    // The gateway transfers none of the file's bytes, only its log, the upload URL request and its messages to Kafka.
    { what: 'bytes the gateway moved ÷ bytes of the file', figure: 'moved', sides: ['pre-signed'], atMost: 0.001 },
  ],
  missing: missingEngines,
  open: (context) =>
    withCluster(context, { replicas: { 'file-pipeline': 0 } }, async (product) => {
      const sizeBytes = (context.megabytes ?? (context.quick ? 64 : 1_000)) * megabyte
      const store = filesAt(product.settings)
      await createNamespace(product, namespace)
      const body = () => bytesOf(sizeBytes)
      const timed = async (send: () => Promise<string>): Promise<Measured> => {
        const before = movedBytes(product.gatewayPid)
        const from = performance.now()
        const key = await send()
        const seconds = (performance.now() - from) / 1_000
        const moved = movedBytes(product.gatewayPid) - before
        if ((await store.head(key))?.sizeBytes !== sizeBytes) throw new Error(`${key} has not arrived whole`)
        await store.remove([key])
        return { rate: sizeBytes / megabyte / seconds, moved: moved / sizeBytes }
      }
      const presigned = async () => (await sendFile(product, namespace, 'large.txt', { sizeBytes, body })).key
      const straight = async () => {
        const key = `bench-${process.pid}/large.txt`
        const contentType = 'text/plain'
        const { url } = await store.signPut(key, { contentType, expiresInSeconds: 900, sizeBytes })
        await putTo(url, { contentType, sizeBytes, body })
        return key
      }
      return {
        sides: [
          { name: 'pre-signed', round: () => timed(presigned) },
          { name: 'straight', round: () => timed(straight) },
        ],
        close: async () => {
          await store.close()
          await product.close()
        },
      }
    }),
}

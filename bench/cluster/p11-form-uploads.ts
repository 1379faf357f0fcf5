import { atOnce } from '@cairn/contracts/flow/at-once'
import { filesAt } from '../../e2e/upgrade/cluster-text.ts'
import { bytesOf } from '../files/random-bytes.ts'
import { postForm, putTo } from '../files/send-file.ts'
import { withCluster } from '../harness/cluster.ts'
import { missingEngines } from '../harness/engines.ts'
import { createNamespace } from '../harness/namespaces.ts'
import { residentMb, watchResident } from '../harness/resident-memory.ts'
import type { Measured, Row } from '../harness/row.ts'

const namespace = 'bench'
const callers = 8
const megabyte = 1_000_000
const sizeBytes = 10 * megabyte
const smallBytes = 10_000
const smallFiles = 1_000
const contentType = 'text/plain'

export const row: Row = {
  name: 'cluster-P11',
  what: 'files as forms through the gateway, against PUTs of the same straight to the object store',
  method: `160 files of 10 MB, ${callers} at once, each made while it is sent: as \`upload-file\` through one gateway, which streams it to MinIO; against the same number of PUTs to addresses signed beside the store. Growth: the most VmRSS of the gateway in the round, looked at every 50 ms, less what it had before the first round, after one upload of a kilobyte, for which it loads the client of the store; and less what it has after ${smallFiles} uploads of ${smallBytes / 1_000} kB, which is what it grows by for the content. No process reads the files afterwards. The load, the gateway and the store share both cores.`,
  figures: [
    { name: 'rate', unit: 'MB/s', digits: 1 },
    { name: 'cpu', unit: 'CPU ms of the gateway per MB', digits: 2 },
    { name: 'growth', unit: 'MiB of the gateway', digits: 1 },
    { name: 'held', unit: 'MiB of it more than by small files', digits: 1 },
  ],
  marks: [
    { what: 'upload-file ÷ straight to the store', figure: 'rate', sides: ['upload-file', 'straight'], atLeast: 0.6 },
    { what: 'growth of the gateway, MiB', figure: 'growth', sides: ['upload-file'], atMost: 64 },
  ],
  missing: missingEngines,
  open: (context) =>
    withCluster(context, { replicas: { 'file-pipeline': 0 } }, async (product) => {
      const files = context.quick ? 8 : 160
      const store = filesAt(product.settings)
      await createNamespace(product, namespace)
      await postForm(product, namespace, 'first.txt', { contentType, sizeBytes: 1_000, body: () => bytesOf(1_000) })
      const before = residentMb(product.gatewayPid)
      const small = Array.from({ length: context.quick ? 50 : smallFiles }, (_, index) => `small-${index}.txt`)
      await atOnce(callers, small, (name) =>
        postForm(product, namespace, name, { contentType, sizeBytes: smallBytes, body: () => bytesOf(smallBytes) }),
      )
      const worked = residentMb(product.gatewayPid)
      const body = () => bytesOf(sizeBytes)
      const busy = async (call: (name: string) => Promise<void>): Promise<Measured> => {
        const memory = watchResident(product.gatewayPid)
        const cpu = product.gatewayCpu()
        const names = Array.from({ length: files }, (_, index) => `${index}.txt`)
        const from = performance.now()
        await atOnce(callers, names, call)
        const seconds = (performance.now() - from) / 1_000
        const megabytes = (files * sizeBytes) / megabyte
        const { own } = memory.stop()
        return {
          rate: megabytes / seconds,
          cpu: (product.gatewayCpu() - cpu) / 1_000 / megabytes,
          growth: own - before,
          held: own - worked,
        }
      }
      const clear = async () => {
        for (;;) {
          const some = await store.list({ prefix: '', limit: 500 })
          if (some.length === 0) return
          await store.remove(some.map(({ key }) => key))
        }
      }
      const measured = async (call: (name: string) => Promise<void>) => busy(call).finally(clear)
      const form = (name: string) => postForm(product, namespace, name, { contentType, sizeBytes, body })
      const straight = async (name: string) => {
        const url = await store.signPut(`bench-${process.pid}/${name}`, {
          contentType,
          expiresInSeconds: 900,
          sizeBytes,
        })
        await putTo(url, { contentType, sizeBytes, body })
      }
      return {
        sides: [
          { name: 'upload-file', round: () => measured(form) },
          { name: 'straight', round: () => measured(straight) },
        ],
        close: async () => {
          await store.close()
          await product.close()
        },
      }
    }),
}

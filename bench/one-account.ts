import type { ApiAddress } from './harness/api-client.ts'
import { withCluster } from './harness/cluster.ts'
import { untilIndexed } from './harness/documents.ts'
import { missingEngines } from './harness/engines.ts'
import { latenciesOf, sendAll } from './harness/latencies.ts'
import { createNamespace } from './harness/namespaces.ts'
import { startProduct } from './harness/product.ts'
import type { Context, OpenRow, Row, Side } from './harness/row.ts'
import { jsonRequest, kilobyte, nextId } from './harness/upload-request.ts'

const namespace = 'one-account'
const clients = 64
const withinMs = 600_000

type Product = ApiAddress & { readonly addAccount: (name: string) => Promise<string> }

/** Opens a side that uploads with these keys in turn. A round ends when all uploads are indexed. */
const sideOf = (name: string, { port }: ApiAddress, keys: readonly string[], uploads: number): Side => ({
  name,
  round: async () => {
    const keyOf = (index: number) => keys[index % keys.length] ?? ''
    const requests = Array.from({ length: uploads }, (_, index) => {
      const id = nextId()
      const documents = [{ id, text: `${id} ${kilobyte}` }]
      return jsonRequest('POST', `/v1/namespaces/${namespace}/documents`, keyOf(index), { documents })
    })
    const from = performance.now()
    const { times, bodies } = await sendAll(port, clients, requests, 202)
    const seconds = (performance.now() - from) / 1_000
    const ids = bodies.map((body) => (JSON.parse(body.toString()) as { readonly upload_id: string }).upload_id)
    for (const [position, apiKey] of keys.entries()) {
      const own = ids.filter((_, index) => index % keys.length === position)
      await untilIndexed({ port, apiKey, namespace }, own, { withinMs })
    }
    return { rate: uploads / seconds, ...latenciesOf(times) }
  },
})

const open = async (
  product: Product,
  { quick }: Context,
  { uploads, close }: { readonly uploads: number; readonly close: () => Promise<void> },
): Promise<OpenRow> => {
  const keys: string[] = []
  for (let index = 0; index < clients; index += 1) keys.push(await product.addAccount(`account-${index}`))
  for (const apiKey of [product.apiKey, ...keys]) await createNamespace({ ...product, apiKey }, namespace)
  const count = quick ? clients * 2 : uploads
  return {
    sides: [
      sideOf('one account', product, [product.apiKey], count),
      sideOf(`${clients} accounts`, product, keys, count),
    ],
    close,
  }
}

const common: Pick<Row, 'figures' | 'marks'> = {
  figures: [
    { name: 'rate', unit: 'uploads/s', digits: 0 },
    { name: 'p50', unit: 'ms', digits: 0 },
    { name: 'p95', unit: 'ms', digits: 0 },
  ],
  marks: [
    {
      what: `one account ÷ ${clients} accounts`,
      figure: 'rate',
      sides: ['one account', `${clients} accounts`],
      atLeast: 0.7,
    },
  ],
}

const method = `${clients} requests at once, one new document of 1 KB each, the lexical embedder; of one account, or each of another account. Any answer but 202 ends the run. Documents are indexed meanwhile, and a round begins when those of the last one are.`

export const row: Row = {
  ...common,
  name: 'one-account',
  what: `parallel uploads of one account against those of ${clients} accounts; one process`,
  method,
  open: async (context) => {
    const product = await startProduct(context, { embedder: 'lexical' })
    const { port, apiKey, subject } = product
    const addAccount = (name: string) => subject.ask<string>('addAccount', name)
    return open({ port, apiKey, addAccount }, context, { uploads: 3_200, close: subject.close })
  },
}

export const clusterRow: Row = {
  ...common,
  name: 'cluster-one-account',
  what: 'the same through the gateway of a cluster',
  method: `${method} The MongoDB-compatible stand-in does one command at a time.`,
  missing: missingEngines,
  open: (context) =>
    withCluster(context, { env: { CAIRN_EMBEDDER: 'lexical' } }, (product) =>
      open(product, context, { uploads: 640, close: product.close }),
    ),
}

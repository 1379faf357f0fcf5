import { setTimeout as pause } from 'node:timers/promises'
import { connectTo } from './harness/http-load.ts'
import { percentile } from './harness/judge.ts'
import { startProduct } from './harness/product.ts'
import type { Row } from './harness/row.ts'
import { jsonRequest, kilobyte, nextId } from './harness/upload-request.ts'

const idleMs = 20
const searchableWithinMs = 30_000

export const row: Row = {
  name: 'P13',
  what: 'a lone document in an idle system: from its 202 until a search finds it',
  method:
    'One document of 1 KB at a time, a stub model that answers at once, all in one process; asked for by search again and again until it is a hit, so that a figure holds at least one search.',
  pinned: true,
  warmUps: 1,
  figures: [
    { name: 'p50', unit: 'ms', digits: 1 },
    { name: 'p95', unit: 'ms', digits: 1 },
    { name: 'accepted p95', unit: 'ms to the 202', digits: 1 },
  ],
  marks: [{ what: '202 to searchable, p95', figure: 'p95', sides: ['product'], atMost: 100 }],
  open: async (context) => {
    const documents = context.quick ? 10 : 60
    const { port, apiKey, namespace, subject } = await startProduct(context, { embedder: 'stub' })
    const connection = await connectTo(port)
    const find = async (id: string): Promise<boolean> => {
      const wanted = { namespaces: [namespace], query: `how is a path marked #number:${id}`, top_k: 1 }
      const { status, body } = await connection.send(jsonRequest('POST', '/v1/search', apiKey, wanted))
      if (status !== 200) throw new Error(`searching answered ${status}: ${body}`)
      const { results } = JSON.parse(body.toString()) as { readonly results: readonly { readonly id: string }[] }
      return results[0]?.id === id
    }
    const one = async (): Promise<{ readonly accepted: number; readonly searchable: number }> => {
      await pause(idleMs)
      const id = nextId()
      const upload = { documents: [{ id, text: kilobyte, number: id }] }
      const sentAt = performance.now()
      const { status, body } = await connection.send(jsonRequest('POST', `/v1/namespaces/${namespace}/documents`, apiKey, upload))
      const acceptedAt = performance.now()
      if (status !== 202) throw new Error(`uploading answered ${status}: ${body}`)
      while (!(await find(id))) {
        if (performance.now() - acceptedAt > searchableWithinMs) throw new Error(`${id} has not become searchable`)
      }
      return { accepted: acceptedAt - sentAt, searchable: performance.now() - acceptedAt }
    }
    return {
      sides: [
        {
          name: 'product',
          round: async () => {
            const times: { readonly accepted: number; readonly searchable: number }[] = []
            while (times.length < documents) times.push(await one())
            const searchable = times.map((time) => time.searchable)
            return {
              p50: percentile(searchable, 0.5),
              p95: percentile(searchable, 0.95),
              'accepted p95': percentile(
                times.map(({ accepted }) => accepted),
                0.95,
              ),
            }
          },
        },
      ],
      close: async () => {
        connection.close()
        await subject.close()
      },
    }
  },
}

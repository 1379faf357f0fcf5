import { callApi } from './harness/api-client.ts'
import { type DocumentTarget, untilIndexed } from './harness/documents.ts'
import { median } from './harness/judge.ts'
import { createNamespace } from './harness/namespaces.ts'
import { startProduct } from './harness/product.ts'
import type { Row } from './harness/row.ts'
import { kilobyte } from './harness/upload-request.ts'

const namespace = 'bench'
const warmUps = 8
const pollEveryMs = 25
const withinMs = 600_000
/** Allowed error of an estimate, as a share of the time that is left. */
const tolerance = 0.25

let made = 0

type Expected = { readonly uploadId: string; readonly requestedAt: number; readonly expectedAt: number }
type Ended = Expected & { readonly endedAt: number }

const documentsOf = (count: number) =>
  Array.from({ length: count }, () => ({ id: `d${++made}`, text: `${made} ${kilobyte.slice(0, 200 + (made % 800))}` }))

const send = async (target: DocumentTarget, count: number): Promise<Expected> => {
  const path = `/v1/namespaces/${namespace}/documents`
  const answer = await callApi<{ upload_id: string; estimated_completion: string }>(target, 'POST', path, 202, {
    documents: documentsOf(count),
  })
  const expectedAt = Date.parse(answer.estimated_completion)
  return { uploadId: answer.upload_id, requestedAt: Date.now(), expectedAt }
}

const untilEnded = async (target: DocumentTarget, expected: Expected): Promise<Ended> => {
  const [upload] = await untilIndexed(target, [expected.uploadId], { withinMs, everyMs: pollEveryMs })
  return { ...expected, endedAt: Date.parse(upload?.finished_at ?? '') }
}

const biasOf = ({ requestedAt, expectedAt, endedAt }: Ended): number =>
  (expectedAt - endedAt) / Math.max(1, endedAt - requestedAt)
/**
 * Sends batches of several sizes from two accounts, with `ahead` batches open at once, and polls each until it has
 * finished.
 */
const measure = async (targets: readonly DocumentTarget[], count: number, ahead: number) => {
  const open = new Set<Promise<Ended>>()
  const ended: Ended[] = []
  const uncounted = warmUps + ahead - 1
  for (let turn = 0; turn < count + uncounted; turn += 1) {
    const target = targets[turn % targets.length] as DocumentTarget
    const isWarmUp = turn < warmUps
    const one = untilEnded(target, await send(target, 5 + ((turn * 37) % 96)))
    open.add(one)
    const end = one.then((value) => {
      open.delete(one)
      if (turn >= uncounted) ended.push(value)
    })
    if (isWarmUp) await end
    while (open.size >= ahead) await Promise.race(open)
  }
  await Promise.all(open)
  const errors = ended.map((one) => Math.abs(biasOf(one)))
  return {
    share: (100 * errors.filter((error) => error <= tolerance).length) / errors.length,
    error: 100 * median(errors),
    bias: 100 * median(ended.map(biasOf)),
    seconds: ended.reduce((sum, { requestedAt, endedAt }) => sum + endedAt - requestedAt, 0) / ended.length / 1_000,
  }
}

export const row: Row = {
  name: 'estimates',
  what: 'how often `estimated_completion` of an upload is right within 25 % of the time it takes',
  method:
    'One process with the local model. Two accounts send batches of 5 to 100 documents of 0.2 to 1 KB, with at most one of them open ("one by one"), or ten ("queued"); the estimate of each 202 is compared with `finished_at`. Eight batches before that do not count, nor those sent until so many are open.',
  warmUps: 0,
  figures: [
    { name: 'share', unit: '% within 25 %', digits: 0 },
    { name: 'error', unit: '%, median', digits: 0 },
    { name: 'bias', unit: '%, median; above 0: too late', digits: 0 },
    { name: 'seconds', unit: 's, mean of what was estimated', digits: 2 },
  ],
  marks: [{ what: 'estimates within 25 %, ten batches open', figure: 'share', sides: ['queued'], atLeast: 90 }],
  open: async (context) => {
    const product = await startProduct(context, { embedder: 'local' })
    const second = { ...product, apiKey: await product.subject.ask<string>('addAccount', 'second') }
    await createNamespace(second, namespace)
    const count = context.quick ? 6 : 40
    return {
      sides: [
        { name: 'one by one', round: () => measure([product, second], count / 2, 1) },
        { name: 'queued', round: () => measure([product, second], count, 10) },
      ],
      close: product.subject.close,
    }
  },
}

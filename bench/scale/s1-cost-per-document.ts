import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callApi } from '../harness/api-client.ts'
import { newIds, sendDocuments, untilIndexed } from '../harness/documents.ts'
import { type OpenSide, openSides } from '../harness/open-sides.ts'
import { startProduct } from '../harness/product.ts'
import type { Context, Mark, Measured, Row } from '../harness/row.ts'

const added = 1_000
/** Measurements per round; their mean is reported, because a single measurement takes only a quarter of a second. */
const times = 5
/** Time for the work that a deletion does after its response. */
const settledMs = 2_000
const sizes = [1_000, 10_000, 100_000, 1_000_000] as const
const nameOf = (size: number) => `${size.toLocaleString('en')} items`

/** Opens a product that holds `size` documents. A round adds some documents and removes them after the measurement. */
const openSide = async (context: Context, size: number): Promise<OpenSide> => {
  const directory = mkdtempSync(join(context.directory, 'data-'))
  const product = await startProduct({ ...context, directory }, { embedder: 'stub' })
  await untilIndexed(product, await sendDocuments(product, newIds(context.quick ? size / 100 : size)))
  const round = async (): Promise<Measured> => {
    let [cpu, wall] = [0, 0]
    for (let time = 0; time < times; time += 1) {
      const ids = newIds(added)
      const before = await product.subject.ask<number>('cpu')
      const from = performance.now()
      await untilIndexed(product, await sendDocuments(product, ids))
      wall += performance.now() - from
      cpu += ((await product.subject.ask<number>('cpu')) - before) / 1_000
      await callApi(product, 'POST', `/v1/namespaces/${product.namespace}/documents/delete`, 200, { ids })
      await pause(settledMs)
    }
    return { cpu: cpu / added / times, wall: wall / added / times }
  }
  return { name: nameOf(size), round, close: product.subject.close }
}

export const row: Row = {
  name: 'S1',
  what: 'cost of a document in a namespace with many documents',
  method: `One process for each size, stub embedder without delay, one namespace of documents of 1 KB; a round adds ${added} documents in batches of 100 over two connections until all can be found, and deletes them afterwards, which is not measured, ${times} times.`,
  warmUps: 2,
  figures: [
    { name: 'cpu', unit: 'CPU ms per document', digits: 3 },
    { name: 'wall', unit: 'ms per document', digits: 3 },
  ],
  marks: sizes.slice(1).flatMap((size): Mark[] =>
    (['cpu', 'wall'] as const).map((figure) => ({
      what: `${figure}: ${nameOf(size)} ÷ ${nameOf(sizes[0])}`,
      figure,
      sides: [nameOf(size), nameOf(sizes[0])],
      atMost: 1.25,
    })),
  ),
  open: (context) => openSides(sizes, (one) => openSide(context, one)),
}

import { withApi } from '../harness/api-client.ts'
import { type DocumentTarget, newIds, sendDocuments } from '../harness/documents.ts'
import { latenciesOf, latencyFigures } from '../harness/latencies.ts'
import { startProduct } from '../harness/product.ts'
import type { Row } from '../harness/row.ts'

const pageSize = 100
const pagesARound = 100
type Page = {
  readonly items: readonly unknown[]
  readonly pagination: { readonly has_more: boolean; readonly next_token: string | null }
}

/**
 * Reads consecutive pages, starting at a token or at the first page; resolves to the response times and the token of
 * the next page.
 */
const readPages = (target: DocumentTarget, token: string | undefined, pages: number) =>
  withApi(target, async (api) => {
    const times: number[] = []
    let next = token
    while (times.length < pages) {
      const after = next === undefined ? '' : `&next_token=${encodeURIComponent(next)}`
      const path = `/v1/namespaces/${target.namespace}/documents/fetch-text-data?limit=${pageSize}${after}`
      const from = performance.now()
      const page = await api.call<Page>('GET', path, 200)
      times.push(performance.now() - from)
      if (page.items.length !== pageSize) throw new Error(`a page has ${page.items.length} items`)
      next = page.pagination.next_token ?? undefined
      if (next === undefined) break
    }
    return { times, next }
  })

export const row: Row = {
  name: 'S2',
  what: 'a page of fetch-text-data at the start, in the middle and at the end',
  method: `One process, a namespace of 1,000,000 documents of 1 KB, ${pagesARound} pages of ${pageSize} one after the other: the first ones, those after the middle, the last ones.`,
  figures: latencyFigures,
  marks: [
    { what: 'middle ÷ start, p50', figure: 'p50', sides: ['middle', 'start'], atMost: 1.3 },
    { what: 'end ÷ start, p50', figure: 'p50', sides: ['end', 'start'], atMost: 1.3 },
  ],
  open: async (context) => {
    const pages = context.quick ? 4 * pagesARound : 10_000
    const product = await startProduct(context, { embedder: 'stub', ingestionPaused: true })
    try {
      await sendDocuments(product, newIds(pages * pageSize))
      const middle = (await readPages(product, undefined, pages / 2)).next
      const end = (await readPages(product, middle, pages / 2 - pagesARound)).next
      const side = (name: string, token: string | undefined) => ({
        name,
        round: async () => latenciesOf((await readPages(product, token, pagesARound)).times),
      })
      return {
        sides: [side('start', undefined), side('middle', middle), side('end', end)],
        close: product.subject.close,
      }
    } catch (error) {
      await product.subject.close()
      throw error
    }
  },
}

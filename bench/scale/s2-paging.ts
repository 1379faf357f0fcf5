import { type ApiAddress, connectApi } from '../harness/api-client.ts'
import { newIds, sendDocuments } from '../harness/documents.ts'
import { percentile } from '../harness/judge.ts'
import { startProduct } from '../harness/product.ts'
import type { Row } from '../harness/row.ts'

const pageSize = 100
const pagesARound = 100
type Page = {
  readonly items: readonly unknown[]
  readonly pagination: { readonly has_more: boolean; readonly next_token: string | null }
}

/** Pages one after the other from a token on, the first one where there is none; the times, and the token after the last. */
const readPages = async (
  address: ApiAddress & { readonly namespace: string },
  token: string | undefined,
  pages: number,
) => {
  const api = await connectApi(address)
  const times: number[] = []
  let next = token
  try {
    while (times.length < pages) {
      const after = next === undefined ? '' : `&next_token=${encodeURIComponent(next)}`
      const from = performance.now()
      const page = await api.call<Page>(
        'GET',
        `/v1/namespaces/${address.namespace}/documents/fetch-text-data?limit=${pageSize}${after}`,
        200,
      )
      times.push(performance.now() - from)
      if (page.items.length !== pageSize) throw new Error(`a page has ${page.items.length} items`)
      next = page.pagination.next_token ?? undefined
      if (next === undefined) break
    }
  } finally {
    api.close()
  }
  return { times, next }
}

export const row: Row = {
  name: 'S2',
  what: 'a page of fetch-text-data at the start, in the middle and at the end',
  method: `One process, a namespace of 1,000,000 documents of 1 KB, ${pagesARound} pages of ${pageSize} one after the other: the first ones, those after the middle, the last ones.`,
  pinned: false,
  warmUps: 1,
  figures: [
    { name: 'p50', unit: 'ms', digits: 2 },
    { name: 'p95', unit: 'ms', digits: 2 },
  ],
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
        round: async () => {
          const { times } = await readPages(product, token, pagesARound)
          return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) }
        },
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

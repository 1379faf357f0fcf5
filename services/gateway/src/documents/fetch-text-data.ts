import { foreignNextToken, notTextBased } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { parseMetadata, type UserObject } from '@cairn/contracts/documents/metadata'
import type { Filter } from '@cairn/contracts/documents/metadata-filter'
import type { Page } from '@cairn/domain/protocol/page'
import type { ReplyOf } from '@cairn/runtime/http/endpoint'
import type { NamespaceCall } from '../call.ts'
import { accountEndpoint, type Call } from '../call.ts'
import { type Content, type ContentWithoutBody, contentPage, pageWithoutBodies } from '../content.ts'
import type { GatewayPorts } from '../deps.ts'
import type { ReadableId } from '../gate.ts'
import { iso, isoOrNull } from '../iso.ts'
import { requireAffordable } from '../require-affordable.ts'
import type { Cursors } from './cursor.ts'
import { findMatches } from './find-matches.ts'

/** Reading matches of a filter; a page that takes longer has fewer items. */
const filterWithinMs = 2_000

const sourceOf = (metadata: UserObject): string => {
  const source = Object.hasOwn(metadata, 'source') ? metadata['source'] : undefined
  return typeof source === 'string' && source !== '' ? source : 'api'
}

const viewOf = ({ id, version, createdAt, isSummary }: ContentWithoutBody) => ({
  id,
  version,
  created_at: iso(createdAt),
  is_summary: isSummary,
})

const statisticsOf = (page: readonly ContentWithoutBody[]) => {
  const summaries = page.filter(({ isSummary }) => isSummary).length
  const created = page.map(({ createdAt }) => createdAt)
  return {
    total_items: page.length,
    total_text_chunks: page.length - summaries,
    total_summary_chunks: summaries,
    created_at_min: isoOrNull(created.length === 0 ? null : Math.min(...created)),
    created_at_max: isoOrNull(created.length === 0 ? null : Math.max(...created)),
  }
}

const viewWithoutTexts = (page: readonly ContentWithoutBody[]) => ({
  statistics: statisticsOf(page),
  items: page.map(viewOf),
})

const viewWithTexts = (page: readonly Content[]) => {
  const items = page.map((content) => ({
    ...viewOf(content),
    text: content.body.text,
    metadata: parseMetadata(content.body.metadata),
  }))
  const sources = new Map<string, number>()
  for (const { metadata } of items) sources.set(sourceOf(metadata), (sources.get(sourceOf(metadata)) ?? 0) + 1)
  return { statistics: { ...statisticsOf(page), source_counts: Object.fromEntries(sources) }, items }
}

/** One entry more than requested was read: its presence shows that there are more. */
const cut = <C extends ContentWithoutBody, V>(read: readonly C[], limit: number, view: (page: readonly C[]) => V) => {
  const page = read.slice(0, limit)
  return { view: view(page), count: page.length, next: read.length > limit ? page.at(-1)?.id : undefined }
}

type PageRequest = {
  readonly limit: number
  readonly next_token?: string | undefined
  readonly fields?: 'head' | undefined
  readonly filter?: Filter
}
type PageDeps = GatewayPorts & { readonly cursors: Cursors }

const readPage = async (
  { store, clock }: PageDeps,
  call: Call,
  namespaceId: ReadableId,
  after: string,
  { limit, fields, filter }: PageRequest,
) => {
  if (filter) {
    const read = (page: Page) => contentPage(store, namespaceId, page)
    const found: Content[] = []
    requireAffordable({ filter }, 1)
    const next = await findMatches(clock, call, read, {
      filter,
      after,
      withinMs: filterWithinMs,
      visit: (content) => found.push(content) < limit,
    })
    return { view: fields === 'head' ? viewWithoutTexts(found) : viewWithTexts(found), count: found.length, next }
  }
  const range = { after, limit: limit + 1 }
  if (fields === 'head') return cut(await pageWithoutBodies(store, namespaceId, range), limit, viewWithoutTexts)
  return cut(await contentPage(store, namespaceId, range), limit, viewWithTexts)
}

/** Uses keyset pagination: reading all pages misses nothing that existed throughout, and repeats nothing. */
const servePage = async (
  deps: PageDeps,
  call: NamespaceCall,
  requestOf: () => PageRequest,
): Promise<ReplyOf<typeof operations.fetchTextData>> => {
  const { clock, cursors } = deps
  const from = clock.monotonic()
  const namespace = await call.readable.namespace(call.params.namespace_name)
  if (namespace.type !== 'text') throw notTextBased(namespace.name)
  const request = requestOf()
  const { limit, next_token: token } = request
  const binding = { accountId: call.account.id, namespaceId: namespace.id }
  const after = token === undefined ? '' : cursors.open(token, binding)
  if (after === undefined) throw foreignNextToken()
  const { view, count, next } = await readPage(deps, call, namespace.id, after, request)
  return {
    status: 200,
    body: {
      status: 'success',
      message: `${count} ${count === 1 ? 'item' : 'items'}`,
      namespace: namespace.name,
      ...view,
      pagination: {
        limit,
        has_more: next !== undefined,
        next_token: next === undefined ? null : cursors.seal(next, binding),
      },
      execution_time: Math.round(clock.monotonic() - from) / 1_000,
    },
  }
}

export const fetchTextData = (deps: PageDeps) =>
  accountEndpoint(operations.fetchTextData, (call) => servePage(deps, call, call.query))
export const filterTextData = (deps: PageDeps) =>
  accountEndpoint(operations.filterTextData, (call) => servePage(deps, call, call.body))

import { foreignNextToken, notTextBased } from '@cairn/contracts/failures'
import { fetchTextDataQuery } from '@cairn/contracts/http/documents'
import { parse } from '@cairn/runtime/parse'
import type { Call, Reply } from '../call.ts'
import { type Content, contentPage } from '../content.ts'
import type { GatewayPorts } from '../deps.ts'
import { findNamespace } from '../find-namespace.ts'
import { iso, isoOrNull } from '../iso.ts'
import type { Cursors } from './cursor.ts'

const sourceOf = (metadata: Record<string, unknown>): string => {
  const source = Object.hasOwn(metadata, 'source') ? metadata['source'] : undefined
  return typeof source === 'string' && source !== '' ? source : 'api'
}

const view = ({ id, body, createdAt, isSummary }: Content) => ({
  id,
  text: body.text,
  metadata: JSON.parse(body.metadata) as Record<string, unknown>,
  created_at: iso(createdAt),
  is_summary: isSummary,
})

/** One page of a text namespace by id: a keyset, so that a walk misses nothing that was there throughout and repeats nothing. */
export const fetchTextData =
  ({ metadata, clock, cursors }: GatewayPorts & { readonly cursors: Cursors }) =>
  async (call: Call): Promise<Reply> => {
    const from = clock.monotonic()
    const namespace = await findNamespace(metadata, call.account.id, call.params['namespace_name'] ?? '')
    if (namespace.type !== 'text') throw notTextBased(namespace.name)
    const { limit, next_token: token } = parse(fetchTextDataQuery, call.query)
    const binding = { accountId: call.account.id, namespaceId: namespace.id }
    const after = token === undefined ? '' : cursors.open(token, binding)
    if (after === undefined) throw foreignNextToken()
    const read = await contentPage(metadata, namespace.id, { after, limit: limit + 1 })
    const page = read.slice(0, limit)
    const items = page.map(view)
    const hasMore = read.length > limit
    const last = page.at(-1)
    const summaries = page.filter(({ isSummary }) => isSummary).length
    const created = page.map(({ createdAt }) => createdAt)
    const sources = new Map<string, number>()
    for (const { metadata: own } of items) sources.set(sourceOf(own), (sources.get(sourceOf(own)) ?? 0) + 1)
    return {
      status: 200,
      body: {
        status: 'success',
        message: `${items.length} ${items.length === 1 ? 'item' : 'items'}`,
        namespace: namespace.name,
        statistics: {
          total_items: items.length,
          total_text_chunks: items.length - summaries,
          total_summary_chunks: summaries,
          created_at_min: isoOrNull(created.length === 0 ? null : Math.min(...created)),
          created_at_max: isoOrNull(created.length === 0 ? null : Math.max(...created)),
          source_counts: Object.fromEntries(sources),
        },
        items,
        pagination: { limit, has_more: hasMore, next_token: hasMore && last ? cursors.seal(last.id, binding) : null },
        execution_time: Math.round(clock.monotonic() - from) / 1_000,
      },
    }
  }

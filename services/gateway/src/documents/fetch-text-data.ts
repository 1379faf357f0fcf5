import { parseExact } from '@cairn/contracts/exact-json'
import { foreignNextToken, notTextBased } from '@cairn/contracts/failures'
import { fetchTextDataQuery } from '@cairn/contracts/http/documents'
import { parse } from '@cairn/runtime/parse'
import type { Call, Reply } from '../call.ts'
import { type Content, type ContentWithoutBody, contentPage, pageWithoutBodies } from '../content.ts'
import type { GatewayPorts } from '../deps.ts'
import { findNamespace } from '../find-namespace.ts'
import { iso, isoOrNull } from '../iso.ts'
import type { Cursors } from './cursor.ts'

const sourceOf = (metadata: Record<string, unknown>): string => {
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
    metadata: parseExact(content.body.metadata) as Record<string, unknown>,
  }))
  const sources = new Map<string, number>()
  for (const { metadata } of items) sources.set(sourceOf(metadata), (sources.get(sourceOf(metadata)) ?? 0) + 1)
  return { statistics: { ...statisticsOf(page), source_counts: Object.fromEntries(sources) }, items }
}

/** One more than requested shows whether there are more. */
const cut = <C extends ContentWithoutBody>(read: readonly C[], limit: number, view: (page: readonly C[]) => object) => {
  const page = read.slice(0, limit)
  return { view: view(page), count: page.length, next: read.length > limit ? page.at(-1)?.id : undefined }
}

/**
 * Returns one page of a text namespace by id. A keyset: a walk misses nothing that existed throughout and repeats
 * nothing.
 */
export const fetchTextData =
  ({ metadata, clock, cursors }: GatewayPorts & { readonly cursors: Cursors }) =>
  async (call: Call): Promise<Reply> => {
    const from = clock.monotonic()
    const namespace = await findNamespace(metadata, call.account.id, call.params['namespace_name'] ?? '')
    if (namespace.type !== 'text') throw notTextBased(namespace.name)
    const { limit, next_token: token, fields } = parse(fetchTextDataQuery, call.query)
    const binding = { accountId: call.account.id, namespaceId: namespace.id }
    const after = token === undefined ? '' : cursors.open(token, binding)
    if (after === undefined) throw foreignNextToken()
    const range = { after, limit: limit + 1 }
    const { view, count, next } =
      fields === 'head'
        ? cut(await pageWithoutBodies(metadata, namespace.id, range), limit, viewWithoutTexts)
        : cut(await contentPage(metadata, namespace.id, range), limit, viewWithTexts)
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

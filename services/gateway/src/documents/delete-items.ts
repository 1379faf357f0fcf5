import { deletionTooBroad, namespaceNotFound } from '@cairn/contracts/api/failures'
import type { operations } from '@cairn/contracts/api/operations'
import type { Filter } from '@cairn/contracts/documents/metadata-filter'
import { deletionRequested } from '@cairn/contracts/events'
import { slices } from '@cairn/contracts/flow/slices'
import { limits } from '@cairn/contracts/limits'
import { shownCount } from '@cairn/domain/accounts/record'
import type { Item } from '@cairn/domain/items/record'
import { embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import type { ReplyOf, ResponseBody } from '@cairn/runtime/http/endpoint'
import { accountEndpoint, type Call, causeOf } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'
import { requireAffordable } from '../require-affordable.ts'
import { findMatches } from './find-matches.ts'

/** Reading the matches of a filter; another request continues from there. */
const readWithinMs = 20_000
const idsInSample = 10

type Reply = ReplyOf<typeof operations.deleteDocuments>
type Target = { readonly ids: readonly string[]; readonly versions?: ReadonlyMap<string, string> }

const remove = async (deps: GatewayPorts, call: Call, namespace: ReadableNamespace, target: Target) => {
  const { store, clock, ids: newIds } = deps
  const { account, requestId: correlationId, traceparent } = call
  const deletionId = newIds.next('deletion')
  const result = await store.deleteItems({
    deletionId,
    accountId: account.id,
    namespaceId: namespace.id,
    namespaceName: namespace.name,
    space: embeddingSpaceOf(namespace),
    ...target,
    correlationId,
    traceparent,
    at: clock.now(),
  })
  if (result.outcome === 'namespaceGone') throw namespaceNotFound(namespace.name)
  if (result.deletion)
    await sendEvent(deps, deletionRequested, { namespaceId: namespace.id, deletionId }, deletionId, causeOf(call))
  return result
}

const bodyOf = (
  namespace: ReadableNamespace,
  about: { readonly ids: readonly string[]; readonly deleted: readonly string[]; readonly remaining: number },
): ResponseBody<typeof operations.deleteDocuments, 200> => ({
  status: 'success',
  message: `${about.deleted.length} ${about.deleted.length === 1 ? 'item' : 'items'} deleted`,
  namespace_name: namespace.name,
  requested_deletions: about.ids.length,
  actual_deletions: about.deleted.length,
  remaining_items: about.remaining,
  requested_ids: about.ids,
  deleted_ids: about.deleted,
  unprocessed_ids: [],
})

/** Returns whether more matches may follow. */
const visitMatches = async (
  deps: GatewayPorts,
  call: Call,
  namespace: ReadableNamespace,
  filter: Filter,
  visit: (item: Item, matched: number) => boolean,
): Promise<boolean> => {
  requireAffordable({ filter }, 1)
  const read = (page: { readonly after: string; readonly limit: number }) => deps.store.items.page(namespace.id, page)
  let matched = 0
  const next = await findMatches(deps.clock, call, read, {
    filter,
    after: '',
    withinMs: readWithinMs,
    visit: (item) => {
      matched += 1
      return visit(item, matched)
    },
  })
  if (matched === 0 && next !== undefined) throw deletionTooBroad()
  return next !== undefined
}

const countMatches = async (
  deps: GatewayPorts,
  call: Call,
  namespace: ReadableNamespace,
  filter: Filter,
): Promise<Reply> => {
  const sample: string[] = []
  let matched = 0
  const hasMore = await visitMatches(deps, call, namespace, filter, ({ id }, count) => {
    matched = count
    if (count <= idsInSample) sample.push(id)
    return true
  })
  return {
    status: 200,
    body: {
      ...bodyOf(namespace, { ids: [], deleted: [], remaining: shownCount(namespace.itemCount) }),
      message: `${matched} ${matched === 1 ? 'item matches' : 'items match'}; nothing was deleted`,
      matched_items: matched,
      sample_ids: sample,
      has_more: hasMore,
    },
  }
}

/** Removes the matching versions: an item replaced in the meantime is left alone. */
const deleteMatches = async (
  deps: GatewayPorts,
  call: Call,
  namespace: ReadableNamespace,
  filter: Filter,
): Promise<Reply> => {
  const found: Pick<Item, 'id' | 'version'>[] = []
  const hasMore = await visitMatches(deps, call, namespace, filter, ({ id, version }) => {
    found.push({ id, version })
    return found.length < limits.filterDeletions
  })
  const deleted: string[] = []
  let remaining = shownCount(namespace.itemCount)
  for (const some of slices(found, limits.idsPerDelete)) {
    const versions = new Map(some.map(({ id, version }) => [id, version]))
    const result = await remove(deps, call, namespace, { ids: [...versions.keys()], versions })
    deleted.push(...result.deleted)
    remaining = result.remaining
  }
  const ids = found.map(({ id }) => id)
  return {
    status: 200,
    body: { ...bodyOf(namespace, { ids, deleted, remaining }), matched_items: ids.length, has_more: hasMore },
  }
}

/** Works on both types of namespace, since published clients mix the two operations up. */
export const deleteItems = (
  deps: GatewayPorts,
  operation: typeof operations.deleteDocuments | typeof operations.deleteVectors,
) =>
  accountEndpoint(operation, async (call) => {
    const namespace = await call.readable.namespace(call.params.namespace_name)
    const { ids = [], filter, dry_run: isDryRun } = call.body()
    if (filter) return (isDryRun ? countMatches : deleteMatches)(deps, call, namespace, filter)
    const { deleted, remaining } = await remove(deps, call, namespace, { ids: [...new Set(ids)] })
    return { status: 200, body: bodyOf(namespace, { ids, deleted, remaining }) }
  })

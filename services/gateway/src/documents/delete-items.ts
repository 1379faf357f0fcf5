import { deletionRequested } from '@cairn/contracts/events'
import { namespaceNotFound } from '@cairn/contracts/failures'
import { deleteItemsBody } from '@cairn/contracts/http/documents'
import { embeddingSpaceOf } from '@cairn/domain/embedding-space'
import { announce } from '@cairn/runtime/announce'
import { parse } from '@cairn/runtime/parse'
import { type Call, causeOf, type Reply } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { findNamespace } from '../find-namespace.ts'

/**
 * Serves `documents/delete` and `vectors/delete`. Both work on both types of namespace, since published clients mix
 * them up.
 */
export const deleteItems =
  (deps: GatewayPorts) =>
  async (call: Call): Promise<Reply> => {
    const { metadata, clock, ids: newIds } = deps
    const { account, requestId: correlationId, traceparent } = call
    const namespace = await findNamespace(metadata, account.id, call.params['namespace_name'] ?? '')
    const { ids } = parse(deleteItemsBody, call.body)
    const deletionId = newIds.next('deletion')
    const result = await metadata.deleteItems({
      deletionId,
      accountId: account.id,
      namespaceId: namespace.id,
      namespaceName: namespace.name,
      space: embeddingSpaceOf(namespace),
      ids: [...new Set(ids)],
      correlationId,
      traceparent,
      at: clock.now(),
    })
    if (result.outcome === 'namespaceGone') throw namespaceNotFound(namespace.name)
    if (result.deletion)
      await announce(deps, deletionRequested, { namespaceId: namespace.id, deletionId }, deletionId, causeOf(call))
    return {
      status: 200,
      body: {
        status: 'success',
        message: `${result.deleted.length} ${result.deleted.length === 1 ? 'item' : 'items'} deleted`,
        namespace_name: namespace.name,
        requested_deletions: ids.length,
        actual_deletions: result.deleted.length,
        remaining_items: result.remaining,
        requested_ids: ids,
        deleted_ids: result.deleted,
        unprocessed_ids: [],
      },
    }
  }

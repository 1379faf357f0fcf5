import { deletionRequested } from '@cairn/contracts/events'
import { namespaceNotFound } from '@cairn/contracts/failures'
import { isNamespaceName } from '@cairn/contracts/http/common'
import { allSpacesOf, embeddingSpaceOf } from '@cairn/domain/embedding-space'
import type { Namespace } from '@cairn/ports/metadata/records'
import { announce } from '@cairn/runtime/announce'
import { type Call, causeOf, type Reply } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso } from '../iso.ts'

/**
 * An estimate: the removal of each slice, and some time in the queue; longer while requests must leave, of which one
 * may have died.
 */
const estimatedMs = ({ itemCount, openCount }: Namespace): number => 5_000 + itemCount + (openCount > 0 ? 70_000 : 0)

const answer = (namespace: Namespace): Reply => ({
  status: 202,
  body: {
    status: 'pending',
    message: `Namespace "${namespace.name}" is queued for deletion`,
    namespace_name: namespace.name,
    deletion_id: namespace.deletionId,
    deletion_started_at: iso(namespace.deletionStartedAt ?? 0),
    estimated_completion: iso((namespace.deletionStartedAt ?? 0) + estimatedMs(namespace)),
  },
})

/** A repeated request gets the same answer while the deletion is in progress. */
export const deleteNamespace =
  (deps: GatewayPorts) =>
  async (call: Call): Promise<Reply> => {
    const { metadata, clock, ids } = deps
    const name = call.params['namespace_name'] ?? ''
    const found = isNamespaceName(name) ? await metadata.namespaces.byName(call.account.id, name) : undefined
    if (!found) throw namespaceNotFound(name)
    const deletionId = ids.next('deletion')
    const at = clock.now()
    const begun = await metadata.beginNamespaceDeletion(found.id, deletionId, at)
    if (!begun) {
      const pending = await metadata.namespaces.get(found.id)
      if (!pending) throw namespaceNotFound(name)
      return answer(pending)
    }
    // From here on the namespace is gone for everybody. If this record were not written, a sweep would write it.
    await metadata.deletions.insertOfNamespace(begun, {
      space: embeddingSpaceOf(begun),
      otherSpaces: allSpacesOf(begun).slice(1),
      ...causeOf(call),
      at,
    })
    await announce(deps, deletionRequested, { namespaceId: begun.id, deletionId }, deletionId, causeOf(call))
    return answer(begun)
  }

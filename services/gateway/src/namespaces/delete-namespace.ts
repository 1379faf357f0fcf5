import { namespaceNotFound } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { deletionRequested } from '@cairn/contracts/events'
import { allSpacesOf, embeddingSpaceOf } from '@cairn/domain/namespaces/embedding-space'
import type { Namespace } from '@cairn/domain/namespaces/record'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import type { ReplyOf } from '@cairn/runtime/http/endpoint'
import { accountEndpoint, causeOf } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { iso } from '../iso.ts'

/** Assumes a duration until a first deletion is measured: the Moorcheh API always has a time here. */
const assumedMs = ({ itemCount }: Namespace): number => 5_000 + itemCount

const estimatedEndOf = async ({ store, estimates, clock }: GatewayPorts, namespace: Namespace): Promise<number> => {
  const { accountId, itemCount } = namespace
  const job = { accountId, itemCount, target: 'namespace', nextAttemptAt: await store.now(), lease: null } as const
  return (await estimates.endOf('deletions', job)) ?? clock.now() + assumedMs(namespace)
}

const answer = (namespace: Namespace): ReplyOf<typeof operations.deleteNamespace> => ({
  status: 202,
  body: {
    status: 'pending',
    message: `Namespace "${namespace.name}" is queued for deletion`,
    namespace_name: namespace.name,
    deletion_id: namespace.deletionId ?? '',
    deletion_started_at: iso(namespace.deletionStartedAt ?? 0),
    estimated_completion: iso(
      namespace.deletionEstimatedAt ?? (namespace.deletionStartedAt ?? 0) + assumedMs(namespace),
    ),
  },
})

/** Sends a repeated request the same response while the deletion is in progress. */
export const deleteNamespace = (deps: GatewayPorts) =>
  accountEndpoint(operations.deleteNamespace, async (call) => {
    const { store, clock, ids } = deps
    const name = call.params.namespace_name
    const found = await call.readable.namespaceInAnyState(name)
    if (!found) throw namespaceNotFound(name)
    const deletionId = ids.next('deletion')
    const at = clock.now()
    const end = found.state === 'active' ? await estimatedEndOf(deps, found) : null
    const begun = await store.beginNamespaceDeletion(found.id, deletionId, at, end)
    if (!begun) {
      const pending = await store.namespaces.get(found.id)
      if (!pending) throw namespaceNotFound(name)
      return answer(pending)
    }
    // The namespace is invisible now. If this record can't be written, a sweep writes it.
    await store.deletions.insertOfNamespace(begun, {
      space: embeddingSpaceOf(begun),
      otherSpaces: allSpacesOf(begun).slice(1),
      ...causeOf(call),
      at,
    })
    await sendEvent(deps, deletionRequested, { namespaceId: begun.id, deletionId }, deletionId, causeOf(call))
    return answer(begun)
  })

import { namespaceNotFound } from '@cairn/contracts/api/failures'
import { documentReasonOf } from '@cairn/contracts/documents/document-reasons'
import { uploadAccepted } from '@cairn/contracts/events'
import { slices } from '@cairn/contracts/flow/slices'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import { type Call, causeOf } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import type { ReadableNamespace } from '../gate.ts'
import type { Retry } from './retry-tally.ts'

/** Without a version: any version. */
export type FailedDocument = { readonly id: string; readonly version?: string; readonly reason?: string }

/** Texts are long, and each slice becomes its own upload. */
const documentsAtOnce = 50

/** Returns, by id, failed versions that documents still have and may be retried; records a refusal for others. */
const retryable = async (
  { store }: GatewayPorts,
  namespace: ReadableNamespace,
  failed: readonly FailedDocument[],
  retry: Retry,
): Promise<ReadonlyMap<string, string>> => {
  const states = await store.items.states(
    namespace.id,
    failed.map(({ id }) => id),
  )
  const stateOf = new Map(states.map((state) => [state.id, state]))
  const versions = new Map<string, string>()
  for (const { id, version, reason: recorded } of failed) {
    const current = stateOf.get(id)
    const isFailed = current?.status === 'failed' && (version === undefined || current.version === version)
    const reason = (isFailed ? current.reason : recorded) ?? 'internal'
    const { retry: kind, message, remedy } = documentReasonOf(reason)
    // Its text was not stored; a document that exists now was uploaded again.
    const isMissing = kind === 'notStored' && current === undefined
    if ((!isFailed && !isMissing) || !retry.isWanted(reason)) continue
    if (isFailed && (kind === 'possible' || retry.isNamed(reason))) versions.set(id, current.version)
    else retry.refuse(id, { kind: 'documents', reason, message, remedy })
  }
  return versions
}

/** Uploads stored texts again as new versions; leaves alone what was replaced meanwhile. Resolves to their number. */
export const retryDocuments = async (
  deps: GatewayPorts,
  call: Call,
  namespace: ReadableNamespace,
  failed: readonly FailedDocument[],
  retry: Retry,
): Promise<number> => {
  const { store, clock, ids } = deps
  const versions = await retryable(deps, namespace, failed, retry)
  if (retry.isDryRun) return versions.size
  let count = 0
  for (const some of slices([...versions.keys()], documentsAtOnce)) {
    const items = (await store.items.get(namespace.id, some)).filter(({ id, version }) => versions.get(id) === version)
    if (items.length === 0) continue
    const uploadId = ids.next('upload')
    const result = await store.accept({
      uploadId,
      kind: namespace.type === 'text' ? 'text' : 'vectors',
      accountId: call.account.id,
      namespaceId: namespace.id,
      documents: items.map(({ id, body }) => ({ id, body })),
      versions,
      rejected: [],
      // A retry inserts nothing.
      limit: null,
      ...causeOf(call),
      at: clock.now(),
    })
    if (result.outcome !== 'accepted') throw namespaceNotFound(namespace.name)
    if (result.accepted.length === 0) continue
    count += result.accepted.length
    retry.uploadIds.push(uploadId)
    await sendEvent(deps, uploadAccepted, { namespaceId: namespace.id, uploadId }, uploadId, causeOf(call))
  }
  return count
}

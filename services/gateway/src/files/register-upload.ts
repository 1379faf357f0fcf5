import { namespaceNotFound, notFound, storageLimitReached } from '@cairn/contracts/api/failures'
import { fileStored } from '@cairn/contracts/events'
import { tierOf } from '@cairn/domain/accounts/tiers'
import type { Grant, RegisteredObject } from '@cairn/domain/files/record'
import { type RegisterDeps, registerObject } from '@cairn/domain/files/register-object'
import type { Namespace } from '@cairn/domain/namespaces/record'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import { type Call, causeOf } from '../call.ts'
import type { FilePorts } from '../deps.ts'

export const registerDeps = (deps: FilePorts): RegisterDeps => ({
  store: deps.ungatedStore,
  files: deps.files,
  ids: deps.ids,
  clock: deps.clock,
  tiers: deps.tiers,
  send: (stored, cause) => sendEvent(deps, fileStored, stored, stored.fileId, cause),
})

/** Resolves to the last sentence of the response. */
export const registerUpload = async (
  deps: FilePorts,
  call: Pick<Call, 'account' | 'requestId' | 'traceparent'>,
  {
    namespace,
    grant,
    object,
    inForm = false,
  }: {
    readonly namespace: Namespace
    readonly grant: Grant
    readonly object: RegisteredObject
    readonly inForm?: boolean
  },
): Promise<string> => {
  const cause = causeOf(call)
  const result = await registerObject(registerDeps(deps), grant, object, { cause, inForm })
  const { outcome } = result
  if (outcome === 'namespaceGone') throw namespaceNotFound(namespace.name, 'text')
  if (outcome === 'overLimit') {
    const { tier } = call.account
    const tierLimit = tierOf(deps.tiers, tier).bytes ?? 0
    throw storageLimitReached({ tier, currentCount: result.stored, tierLimit, attempted: object.sizeBytes })
  }
  // Deleted during its upload.
  if (outcome === 'revoked') throw notFound('file')
  if (outcome === 'unchanged') return 'Its bytes are those it had before, so it is not processed again.'
  return 'It is being processed.'
}

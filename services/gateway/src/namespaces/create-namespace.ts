import { namespaceBeingDeleted, namespaceExists, namespaceLimitReached } from '@cairn/contracts/api/failures'
import { operations } from '@cairn/contracts/api/operations'
import { namespaceCreated } from '@cairn/contracts/events'
import { tierOf } from '@cairn/domain/accounts/tiers'
import { sendEvent } from '@cairn/runtime/bus/send-event'
import { accountEndpoint, causeOf } from '../call.ts'
import type { GatewayPorts } from '../deps.ts'
import { chooseModel } from './choose-model.ts'

export const createNamespace = (deps: GatewayPorts) =>
  accountEndpoint(operations.createNamespace, async (call) => {
    const { store, embedders, clock, ids, tiers } = deps
    const sent = call.body()
    const { namespace_name: name, type } = sent
    const dimension = sent.vector_dimension ?? null
    const { account } = call
    const limit = tierOf(tiers, account.tier).namespaces
    const id = ids.next('ns')
    const embedding = sent.type === 'text' ? chooseModel(embedders, sent.model).model : null
    const result = await store.createNamespace({
      id,
      accountId: account.id,
      name,
      type,
      dimension,
      embedding,
      ...(sent.type === 'text' && { language: sent.language }),
      createdAt: clock.now(),
      limit,
    })
    if (result === 'exists') {
      const existing = await call.readable.namespaceInAnyState(name)
      throw existing?.state === 'deleting' ? namespaceBeingDeleted(name) : namespaceExists(name)
    }
    if (result !== 'created')
      throw namespaceLimitReached({ tier: account.tier, currentCount: result.overLimit, tierLimit: limit ?? 0 })
    await sendEvent(deps, namespaceCreated, { namespaceId: id }, id, causeOf(call))
    return {
      status: 201,
      body: {
        status: 'success',
        message: `Namespace "${name}" created`,
        namespace_name: name,
        type,
        vector_dimension: dimension,
      },
    }
  })

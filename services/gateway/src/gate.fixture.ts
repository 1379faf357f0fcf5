import type { Account, ApiKey } from '@cairn/domain/accounts/record'
import type { Store } from '@cairn/domain/store'
import type { Caller } from './call.ts'
import { createGate, type Readable, type ReadableId } from './gate.ts'

/** An id as the gate would return it. */
export const readableId = (id: string): ReadableId => id as ReadableId

export const readableOf = (store: Pick<Store, 'namespaces'>, accountId: string): Readable =>
  createGate(store as Store)({ id: accountId })

/** A caller who has passed the guard. Without a store it may read nothing. */
export const callerOf = (account: Account, keyId = 'key', store = {} as Store): Exclude<Caller, 'admin'> => {
  return { account, key: { id: keyId } as ApiKey, readable: createGate(store)(account) }
}

import { namespaceNotFound } from '@cairn/contracts/api/failures'
import { isNamespaceName } from '@cairn/contracts/http/common'
import type { Namespace, NamespaceType } from '@cairn/domain/namespaces/record'
import type { Store } from '@cairn/domain/store'
import type { Call } from './call.ts'

/** Requires an active namespace. AppError `notFound` reveals nothing about other accounts. */
export const findNamespace = async (
  store: Store,
  accountId: string,
  name: string,
  type?: NamespaceType,
): Promise<Namespace> => {
  const namespace = isNamespaceName(name) ? await store.namespaces.byName(accountId, name) : undefined
  if (namespace?.state !== 'active' || (type !== undefined && namespace.type !== type))
    throw namespaceNotFound(name, type)
  return namespace
}

export type NamespaceCall = Call & { readonly params: { readonly namespace_name: string } }

/** Throws AppError `notFound`. */
export const namespaceOf = (store: Store, call: NamespaceCall, type?: NamespaceType): Promise<Namespace> =>
  findNamespace(store, call.account.id, call.params.namespace_name, type)

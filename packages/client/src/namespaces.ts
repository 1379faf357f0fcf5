import { orUndefined } from './error.ts'
import { type CallOptions, inNamespace, keyed, type Transport } from './transport.ts'
import type { CreateNamespace, Deletion, Namespace, NamespaceCreated, NamespaceDeleting } from './types.ts'

type WithoutName<T> = T extends unknown ? Omit<T, 'namespace_name'> : never

export type Namespaces = {
  /**
   * Creates a text namespace, or, with `{ type: 'vector', vector_dimension }`, a vector namespace. Rejects with
   * `conflict` if the name exists.
   *
   * @example
   * await cairn.namespaces.create('notes')
   * await cairn.namespaces.create('my-vectors', { type: 'vector', vector_dimension: 384 })
   */
  create(name: string, kind?: WithoutName<CreateNamespace>, options?: CallOptions): Promise<NamespaceCreated>
  /** Returns every namespace of the account, with its counts. */
  list(options?: CallOptions): Promise<Namespace[]>
  /** Resolves to undefined if the account has no namespace of this name. */
  get(name: string, options?: CallOptions): Promise<Namespace | undefined>
  /**
   * Begins the deletion of a namespace with all its items and files.
   *
   * @example
   * const { deletion_id } = await cairn.namespaces.delete('notes')
   * await cairn.waitFor.deletion(deletion_id) // the name is free again
   */
  delete(name: string, options?: CallOptions): Promise<NamespaceDeleting>
  /** Returns the current state of a deletion (`deletion_id`). */
  deletion(deletionId: string, options?: CallOptions): Promise<Deletion>
}

export const createNamespaces = ({ call }: Transport): Namespaces => ({
  create: (name, kind = { type: 'text' }, options) => {
    // Without an idempotency key, a retried creation would be a conflict.
    return call('post', '/v1/namespaces', { body: { ...kind, namespace_name: name } }, keyed(options))
  },
  list: async (options) => (await call('get', '/v1/namespaces', {}, options)).namespaces,
  get: (name, options) =>
    orUndefined(call('get', '/v1/namespaces/{namespace_name}', { params: inNamespace(name) }, options)),
  delete: (name, options) => call('delete', '/v1/namespaces/{namespace_name}', { params: inNamespace(name) }, options),
  deletion: (deletionId, options) =>
    call('get', '/v1/deletions/{deletion_id}', { params: { path: { deletion_id: deletionId } } }, options),
})

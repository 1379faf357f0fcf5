import { CairnError } from './error.ts'
import type { CallOptions, Transport } from './transport.ts'
import type { CreateNamespace, Deletion, Namespace, NamespaceCreated, NamespaceDeleting } from './types.ts'

type WithoutName<T> = T extends unknown ? Omit<T, 'namespace_name'> : never

export type Namespaces = {
  /** Creates a text namespace, or one of vectors with `{ type: 'vector', vector_dimension }`. */
  create(name: string, kind?: WithoutName<CreateNamespace>, options?: CallOptions): Promise<NamespaceCreated>
  list(options?: CallOptions): Promise<Namespace[]>
  /** Resolves to undefined if the account has no namespace of this name. */
  get(name: string, options?: CallOptions): Promise<Namespace | undefined>
  /** Begins the deletion; `waitFor.deletion` waits for its end. */
  delete(name: string, options?: CallOptions): Promise<NamespaceDeleting>
  /** Returns how far a deletion is (`deletion_id`), as it is now. */
  deletion(deletionId: string, options?: CallOptions): Promise<Deletion>
}

export const createNamespaces = ({ api, send }: Transport): Namespaces => {
  const list: Namespaces['list'] = async (options = {}) => {
    const { namespaces } = await send((signal) => api.GET('/v1/namespaces', { signal }), {
      ...options,
      repeat: 'idempotent',
    })
    return namespaces
  }
  const get: Namespaces['get'] = async (name, options = {}) => {
    const params = { path: { namespace_name: name } }
    try {
      return await send((signal) => api.GET('/v1/namespaces/{namespace_name}', { params, signal }), {
        ...options,
        repeat: 'idempotent',
      })
    } catch (error) {
      if (error instanceof CairnError && error.code === 'not_found') return undefined
      throw error
    }
  }
  return {
    create: (name, kind = { type: 'text' }, options = {}) =>
      send(
        (signal, headers) => api.POST('/v1/namespaces', { body: { ...kind, namespace_name: name }, signal, headers }),
        // Without a key, the second of two creations would be a conflict.
        { ...options, repeat: 'keyed' },
      ),
    list,
    get,
    delete: (name, options = {}) =>
      send(
        (signal) =>
          api.DELETE('/v1/namespaces/{namespace_name}', { params: { path: { namespace_name: name } }, signal }),
        { ...options, repeat: 'idempotent' },
      ),
    deletion: (deletionId, options = {}) =>
      send(
        (signal) => api.GET('/v1/deletions/{deletion_id}', { params: { path: { deletion_id: deletionId } }, signal }),
        { ...options, repeat: 'idempotent' },
      ),
  }
}

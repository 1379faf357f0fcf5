import { CairnError } from './error.ts'
import type { Attempt, CallOptions, Transport } from './transport.ts'
import type { Reindex, ReindexEstimate, StartReindex } from './types.ts'

export type Reindexes = {
  /** Begins to change the model of a text namespace, while it is searched. */
  start(namespace: string, how?: Omit<StartReindex, 'dry_run'>, options?: CallOptions): Promise<Reindex>
  /** Returns what a reindex would take; changes nothing. */
  estimate(namespace: string, how?: Omit<StartReindex, 'dry_run'>, options?: CallOptions): Promise<ReindexEstimate>
  /** Resolves to undefined if the namespace has no reindex. */
  get(namespace: string, options?: CallOptions): Promise<Reindex | undefined>
  /** Searches by the new model, once the second space is filled. */
  flip(namespace: string, options?: CallOptions): Promise<Reindex>
  /** Searches by the former model again, while it is kept. */
  rollBack(namespace: string, options?: CallOptions): Promise<Reindex>
  /** Cancels it before the flip; after it, removes the points of the former model. */
  end(namespace: string, options?: CallOptions): Promise<Reindex>
}

const path = '/v1/namespaces/{namespace_name}/reindex'

export const createReindexes = ({ api, send }: Transport): Reindexes => {
  const of = (namespace: string) => ({ path: { namespace_name: namespace } })
  const post = <T>(namespace: string, body: StartReindex, options: CallOptions) =>
    send<Reindex | ReindexEstimate>(
      (signal, headers) => api.POST(path, { params: of(namespace), body, signal, headers }),
      { ...options, repeat: 'keyed' },
    ) as Promise<T>
  /** Without a key, a second one would be refused. */
  const change = (call: Attempt<Reindex>, options: CallOptions) => send<Reindex>(call, { ...options, repeat: 'keyed' })
  return {
    start: (namespace, how = {}, options = {}) => post(namespace, { ...how, dry_run: false }, options),
    estimate: (namespace, how = {}, options = {}) => post(namespace, { ...how, dry_run: true }, options),
    get: async (namespace, options = {}) => {
      try {
        return await send((signal) => api.GET(path, { params: of(namespace), signal }), {
          ...options,
          repeat: 'idempotent',
        })
      } catch (error) {
        if (error instanceof CairnError && error.code === 'not_found') return undefined
        throw error
      }
    },
    flip: (namespace, options = {}) =>
      change((signal, headers) => api.POST(`${path}/flip`, { params: of(namespace), signal, headers }), options),
    rollBack: (namespace, options = {}) =>
      change((signal, headers) => api.POST(`${path}/rollback`, { params: of(namespace), signal, headers }), options),
    end: (namespace, options = {}) =>
      change((signal, headers) => api.DELETE(path, { params: of(namespace), signal, headers }), options),
  }
}

import { orUndefined } from './error.ts'
import { type CallOptions, inNamespace, type Transport } from './transport.ts'
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

/** Without a key, a second request would be refused. */
const keyed = (options: CallOptions | undefined) => ({ ...options, repeat: 'keyed' }) as const

export const createReindexes = ({ call }: Transport): Reindexes => {
  const post = <T>(namespace: string, body: StartReindex, options: CallOptions | undefined) =>
    call('post', path, { params: inNamespace(namespace), body }, keyed(options)) as Promise<T>
  return {
    start: (namespace, how, options) => post(namespace, { ...how, dry_run: false }, options),
    estimate: (namespace, how, options) => post(namespace, { ...how, dry_run: true }, options),
    get: (namespace, options) => orUndefined(call('get', path, { params: inNamespace(namespace) }, options)),
    flip: (namespace, options) => call('post', `${path}/flip`, { params: inNamespace(namespace) }, keyed(options)),
    rollBack: (namespace, options) =>
      call('post', `${path}/rollback`, { params: inNamespace(namespace) }, keyed(options)),
    end: (namespace, options) => call('delete', path, { params: inNamespace(namespace) }, keyed(options)),
  }
}

import { orUndefined } from './error.ts'
import { type CallOptions, inNamespace, keyed, type Transport } from './transport.ts'
import type { Reindex, ReindexEstimate, StartReindex } from './types.ts'

export type Reindexes = {
  /** Starts to change the model of a text namespace; searches continue meanwhile. */
  start(namespace: string, how?: Omit<StartReindex, 'dry_run'>, options?: CallOptions): Promise<Reindex>
  /** Returns an estimate of the cost of a reindex; changes nothing. */
  estimate(namespace: string, how?: Omit<StartReindex, 'dry_run'>, options?: CallOptions): Promise<ReindexEstimate>
  /** Resolves to undefined if the namespace has no reindex. */
  get(namespace: string, options?: CallOptions): Promise<Reindex | undefined>
  /** Switches searches to the new model, once all items are indexed with it. */
  flip(namespace: string, options?: CallOptions): Promise<Reindex>
  /** Switches searches back to the former model, while its points are kept. */
  rollBack(namespace: string, options?: CallOptions): Promise<Reindex>
  /** Before the flip, cancels the reindex; after the flip, removes the points of the former model. */
  end(namespace: string, options?: CallOptions): Promise<Reindex>
}

const path = '/v1/namespaces/{namespace_name}/reindex'

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

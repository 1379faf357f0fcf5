import { type CallOptions, inNamespace, keyed, type Transport } from './transport.ts'
import type { Reextraction } from './types.ts'

export type Reextractions = {
  /** Starts to extract outdated files again, or returns the state of the re-extraction in progress. */
  start(namespace: string, options?: CallOptions): Promise<Reextraction>
  /** Returns the number of outdated files and the progress of the last re-extraction. */
  get(namespace: string, options?: CallOptions): Promise<Reextraction>
}

const path = '/v1/namespaces/{namespace_name}/reextract'

export const createReextractions = ({ call }: Transport): Reextractions => ({
  start: (namespace, options) => call('post', path, { params: inNamespace(namespace) }, keyed(options)),
  get: (namespace, options) => call('get', path, { params: inNamespace(namespace) }, options),
})

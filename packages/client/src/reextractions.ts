import { type CallOptions, inNamespace, type Transport } from './transport.ts'
import type { Reextraction } from './types.ts'

export type Reextractions = {
  /** Begins to extract the outdated files of a namespace again, or returns the state of what runs. */
  start(namespace: string, options?: CallOptions): Promise<Reextraction>
  /** Returns how many files are outdated, and how far the last re-extraction is. */
  get(namespace: string, options?: CallOptions): Promise<Reextraction>
}

const path = '/v1/namespaces/{namespace_name}/reextract'

export const createReextractions = ({ call }: Transport): Reextractions => ({
  start: (namespace, options) =>
    call('post', path, { params: inNamespace(namespace) }, { ...options, repeat: 'keyed' }),
  get: (namespace, options) => call('get', path, { params: inNamespace(namespace) }, options),
})

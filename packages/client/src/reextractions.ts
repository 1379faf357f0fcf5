import type { CallOptions, Transport } from './transport.ts'
import type { Reextraction } from './types.ts'

export type Reextractions = {
  /** Begins to extract the outdated files of a namespace again, or returns the state of what runs. */
  start(namespace: string, options?: CallOptions): Promise<Reextraction>
  /** Returns how many files are outdated, and how far the last re-extraction is. */
  get(namespace: string, options?: CallOptions): Promise<Reextraction>
}

const path = '/v1/namespaces/{namespace_name}/reextract'

export const createReextractions = ({ api, send }: Transport): Reextractions => {
  const of = (namespace: string) => ({ path: { namespace_name: namespace } })
  return {
    start: (namespace, options = {}) =>
      send((signal, headers) => api.POST(path, { params: of(namespace), signal, headers }), {
        ...options,
        repeat: 'keyed',
      }),
    get: (namespace, options = {}) =>
      send((signal) => api.GET(path, { params: of(namespace), signal }), { ...options, repeat: 'idempotent' }),
  }
}

import { atOnce } from '@cairn/contracts/flow/at-once'
import { slices } from '@cairn/contracts/flow/slices'
import type { Row } from '../vector-index/data.ts'
import { type ApiAddress, callApi } from './api-client.ts'
import { kilobyte } from './upload-request.ts'

const rowsAtOnce = 100
const connections = 2

/** Creates a namespace for texts, or for vectors of one dimension. */
export const createNamespace = async (address: ApiAddress, name: string, dimension?: number): Promise<void> => {
  const kind = dimension === undefined ? { type: 'text' } : { type: 'vector', vector_dimension: dimension }
  await callApi(address, 'POST', '/v1/namespaces', 201, { namespace_name: name, ...kind })
}

/** Uploads vectors, each with its id and a text; resolves when they can be searched. */
export const fillNamespace = async (
  address: ApiAddress,
  name: string,
  rows: readonly Row[],
  text = kilobyte,
): Promise<void> => {
  await atOnce(connections, slices(rows, rowsAtOnce), (some) => {
    const vectors = some.map(({ id, vector, bucket }) => ({ id, vector: Array.from(vector), text, bucket }))
    return callApi(address, 'POST', `/v1/namespaces/${name}/vectors`, 201, { vectors })
  })
}

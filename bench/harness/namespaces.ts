import type { Row } from '../vector-index/side.ts'
import { type ApiAddress, connectApi } from './api-client.ts'
import { kilobyte } from './upload-request.ts'

const rowsAtOnce = 100
const connections = 2

/** An empty namespace: of texts, or of vectors of one dimension. */
export const createNamespace = async (address: ApiAddress, name: string, dimension?: number): Promise<void> => {
  const api = await connectApi(address)
  const kind = dimension === undefined ? { type: 'text' } : { type: 'vector', vector_dimension: dimension }
  try {
    await api.call('POST', '/v1/namespaces', 201, { namespace_name: name, ...kind })
  } finally {
    api.close()
  }
}

/** Uploads vectors under their own ids; all can be searched when it resolves. Without a text they cost less to make. */
export const fillNamespace = async (
  address: ApiAddress,
  name: string,
  rows: readonly Row[],
  text = kilobyte,
): Promise<void> => {
  let next = 0
  const upload = async () => {
    const api = await connectApi(address)
    try {
      while (next < rows.length) {
        const from = next
        next += rowsAtOnce
        const vectors = rows
          .slice(from, from + rowsAtOnce)
          .map(({ id, vector, bucket }) => ({ id, vector: Array.from(vector), text, bucket }))
        await api.call('POST', `/v1/namespaces/${name}/vectors`, 201, { vectors })
      }
    } finally {
      api.close()
    }
  }
  await Promise.all(Array.from({ length: connections }, upload))
}

import { AppError } from '@cairn/contracts/errors'
import { documentOperations, fetchTextHeads } from '@cairn/contracts/http/documents'
import type { Client } from '../client.ts'
import { type Patience, patiently } from '../demo/patience.ts'
import type { DocumentVersion, Source } from './port.ts'

/** Creates a source that reads a text namespace through the API. */
export const namespaceSource = (client: Client, namespace: string, patience: Patience): Source => {
  const params = { namespace_name: namespace }
  return {
    name: `${client.url}/v1/namespaces/${namespace}`,
    versions: async function* (): AsyncGenerator<readonly DocumentVersion[]> {
      for (let token: string | undefined; ; ) {
        const query = { fields: 'head', next_token: token }
        const { body } = await patiently(patience, () => client.call(fetchTextHeads, { params, query }))
        yield body.items
        const { has_more: hasMore, next_token: next } = body.pagination
        if (!hasMore || next === null) return
        if (next === token) throw new AppError('internal', 'The server gives the same page again and again')
        token = next
      }
    },
    get: async (ids) =>
      (await patiently(patience, () => client.call(documentOperations.getDocuments, { params, body: { ids } }))).body
        .items,
  }
}

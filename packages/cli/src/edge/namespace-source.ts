import type { Cairn, TextDataHeads } from '@cairn/client'
import { AppError } from '@cairn/contracts/errors'
import { type Patience, patiently } from '../demo/patience.ts'
import type { DocumentVersion, Source } from './port.ts'

/** Reads a text namespace through the API at this URL. */
export const namespaceSource = (cairn: Cairn, url: string, namespace: string, patience: Patience): Source => {
  const { signal } = patience
  const pageAt = async (token: string | undefined): Promise<TextDataHeads> => {
    const start = token === undefined ? {} : { next_token: token }
    for await (const page of cairn.documents.pages(namespace, { fields: 'head', signal, ...start })) return page
    throw new AppError('internal', 'The server returned no page')
  }
  return {
    name: `${url}/v1/namespaces/${namespace}`,
    versions: async function* (): AsyncGenerator<readonly DocumentVersion[]> {
      for (let token: string | undefined; ; ) {
        const { items, pagination } = await patiently(patience, () => pageAt(token))
        yield items
        const { has_more: hasMore, next_token: next } = pagination
        if (!hasMore || next === null) return
        if (next === token) throw new AppError('internal', 'The server returned the same page twice')
        token = next
      }
    },
    get: async (ids) => (await patiently(patience, () => cairn.documents.get(namespace, ids, { signal }))).items,
  }
}

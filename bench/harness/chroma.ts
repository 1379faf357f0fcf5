import { randomBytes } from 'node:crypto'
import { nativeSettings } from '@cairn/testing/native-engines'
import type { Row } from '../vector-index/data.ts'
import { nearest } from '../vector-index/data.ts'
import { sendOnce } from './http-load.ts'
import { kilobyte, requestBytes } from './upload-request.ts'

/** Returns the URL of Chroma's server, or undefined if the server is not running. */
export const chromaUrl = async (): Promise<string | undefined> =>
  process.env['CAIRN_CHROMA_URL'] ?? (await nativeSettings(process.env))['CAIRN_CHROMA_URL']

/** Resolves to the reason why the rows that compare with Chroma can't be run here. */
export const missingChroma = async (): Promise<string | undefined> =>
  (await chromaUrl()) ? undefined : 'Chroma does not run (`infra/native/engines.sh up chroma`)'

const collections = '/api/v2/tenants/default_tenant/databases/default_database/collections'

/** Creates a collection with cosine distance in Chroma's server, as Chroma's own clients do. */
export const connectToChroma = async ({ port: given }: URL) => {
  const port = Number(given)
  const request = (method: string, path: string, body?: unknown) =>
    requestBytes(method, `${collections}${path}`, {}, body)
  const name = `bench-${randomBytes(6).toString('hex')}`
  const created = await sendOnce(port, request('POST', '', { name, configuration: { hnsw: { space: 'cosine' } } }))
  if (created.status !== 200) throw new Error(`Chroma made no collection: ${created.status} ${created.body}`)
  const { id: collection } = JSON.parse(created.body.toString()) as { id: string }
  return {
    port,
    /** Status of an accepted upload. */
    uploaded: 201,
    upload: (rows: readonly Row[]): Buffer =>
      request('POST', `/${collection}/add`, {
        ids: rows.map(({ id }) => id),
        embeddings: rows.map(({ vector }) => Array.from(vector)),
        documents: rows.map(() => kilobyte),
        metadatas: rows.map(({ bucket }) => ({ bucket })),
      }),
    query: (vector: Float32Array): Buffer =>
      request('POST', `/${collection}/query`, {
        query_embeddings: [Array.from(vector)],
        n_results: nearest,
        include: ['documents', 'metadatas', 'distances'],
      }),
    ids: (body: Buffer): readonly string[] => (JSON.parse(body.toString()) as { ids: string[][] }).ids[0] ?? [],
    remove: async (): Promise<void> => {
      await sendOnce(port, request('DELETE', `/${name}`))
    },
  }
}

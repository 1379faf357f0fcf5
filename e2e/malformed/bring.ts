import { operations } from '@cairn/contracts/api/operations'
import { slices } from '@cairn/contracts/flow/slices'
import { chunkIdBase } from '@cairn/domain/files/chunk-id-base'
import { eventually } from '@cairn/testing/eventually'
import { type Client, formOf } from '../client.ts'

export type Brought = {
  readonly state: 'completed' | 'failed'
  readonly reason: string | null
  readonly message: string | null
  /** Number of times the file's job was started; more than one is a fault of Cairn. */
  readonly attempts: number
  readonly notes: readonly { readonly code: string }[]
  /** Texts of the file's first and last chunks. */
  readonly texts: readonly string[]
  readonly seconds: number
  /** Correlation id of the file's job in the log. */
  readonly requestId: string
}

/** Time limit for a final state. A hung parser is killed after 60 s; the files queued before it take time, too. */
const endsWithinMs = 300_000
const chunksAtOnce = 100
const firstChunks = 290
const lastChunks = 10

/** Creates a client that uploads files to a namespace, as forms or to signed URLs. */
export const bringer = (api: Client, namespace: string) => {
  const params = { namespace_name: namespace }

  const byAddress = async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Headers> => {
    const { upload_url, content_type } = (
      await api.call(operations.createUploadUrl, { params, body: { file_name: name } }, 200)
    ).body
    const answer = await fetch(upload_url, { method: 'PUT', body: bytes, headers: { 'content-type': content_type } })
    if (answer.status !== 200) throw new Error(`the address of ${name} answered ${answer.status}`)
    return answer.headers
  }

  const byForm = async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Headers> => {
    const sent = { params, ...(await formOf(name, bytes)) }
    return (await api.call(operations.uploadFile, sent, 200)).headers
  }

  const status = async (name: string) =>
    (await api.call(operations.getFileStatus, { params: { ...params, file_name: name } }, 200)).body

  const textsOf = async (name: string, chunks: number): Promise<string[]> => {
    // The first and the last chunks; the last ones contain the text after huge content.
    const numbers = Array.from({ length: chunks }, (_, index) => index).filter(
      (n) => n < firstChunks || n >= chunks - lastChunks,
    )
    const texts: string[] = []
    for (const some of slices(numbers, chunksAtOnce)) {
      const ids = some.map((number) => `${chunkIdBase(name)}_chunk_${number}`)
      const { items } = (await api.call(operations.getDocuments, { params, body: { ids } }, 200)).body
      texts.push(...items.map(({ text }) => text))
    }
    return texts
  }

  return {
    /** Uploads a file; resolves when it is completed or failed. */
    async bring(name: string, bytes: Buffer, way: 'address' | 'form'): Promise<Brought> {
      const from = performance.now()
      const headers = await (way === 'form' ? byForm : byAddress)(name, Uint8Array.from(bytes))
      const ended = await eventually(
        () => status(name),
        ({ state }) => state === 'completed' || state === 'failed',
        { withinMs: endsWithinMs, everyMs: 150 },
      )
      const seconds = (performance.now() - from) / 1_000
      const { state, reason, message, attempts, notes, chunks } = ended
      const texts = state === 'completed' ? await textsOf(name, chunks) : []
      return {
        state: state as Brought['state'],
        reason,
        message,
        attempts,
        notes,
        texts,
        seconds,
        requestId: headers.get('x-request-id') ?? '',
      }
    },
    /** Returns the ids of items that contain the text, found by walking and by searching. */
    async find(secret: string): Promise<string[]> {
      const found: string[] = []
      const { results } = (
        await api.call(operations.search, { body: { query: secret, namespaces: [namespace], top_k: 100 } }, 200)
      ).body
      found.push(...results.filter(({ text }) => text.includes(secret)).map(({ id }) => id))
      for (let token: string | null = ''; token !== null; ) {
        const query: Record<string, string> = { limit: '100', ...(token === '' ? {} : { next_token: token }) }
        const { items, pagination } = (await api.call(operations.fetchTextData, { params, query }, 200)).body
        found.push(...items.filter((item) => JSON.stringify(item).includes(secret)).map(({ id }) => id))
        token = pagination.next_token
      }
      return found
    },
  }
}

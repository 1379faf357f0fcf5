import { operations } from '@cairn/contracts/api/operations'
import { createClient, formOf } from '../../client.ts'
import type { Account } from '../load.ts'

const putWithinMs = 60_000
const maxHits = 100

/** Normalizes line breaks and runs of blanks, which differ between file types. */
const plain = (text: string) => text.replace(/\s+/gu, ' ')

/**
 * Creates a client for the files of a namespace. Every response of the API is checked against the contract; a failure
 * is thrown.
 */
export const fileClient = (url: string, { apiKey }: Account, namespace_name: string) => {
  const api = createClient(url, { 'x-api-key': apiKey })
  const params = { namespace_name }
  const grant = async (file_name: string) =>
    (await api.call(operations.createUploadUrl, { params, body: { file_name } }, 200)).body
  return {
    grant,
    put: async (file_name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
      const { upload_url, content_type } = await grant(file_name)
      const signal = AbortSignal.timeout(putWithinMs)
      const answer = await fetch(upload_url, {
        method: 'PUT',
        body: bytes,
        headers: { 'content-type': content_type },
        signal,
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`PUT of ${file_name}: ${answer.status} ${text}`)
    },
    send: async (file_name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
      await api.call(operations.uploadFile, { params, ...(await formOf(file_name, bytes)) }, 200)
    },
    status: async (file_name: string) =>
      (await api.call(operations.getFileStatus, { params: { ...params, file_name } }, 200)).body,
    list: async () => (await api.call(operations.listFiles, { params }, 200)).body.files,
    remove: async (file_name: string): Promise<string> => {
      const { body } = await api.call(operations.deleteFiles, { params, body: { file_name } }, 200)
      return body.results[0]?.status ?? 'nothing'
    },
    /** Returns the ids of the file's chunks and summaries that contain the sentence, among the first 100 results. */
    find: async (sentence: string, source: string): Promise<string[]> => {
      const body = { query: `${sentence} #source:${source}`, namespaces: [namespace_name], top_k: maxHits }
      const { results } = (await api.call(operations.search, { body }, 200)).body
      return results.flatMap(({ id, text }) => (plain(text).includes(plain(sentence)) ? [id] : []))
    },
  }
}

export type FileClient = ReturnType<typeof fileClient>

import { operations } from '@cairn/contracts/operations'
import { createClient } from '../../client.ts'
import type { Account } from '../../crash-test/load.ts'

const putWithinMs = 60_000
const maxHits = 100

/** Breaks of lines and runs of blanks are the type's own. */
const plain = (text: string) => text.replace(/\s+/gu, ' ')

/** What an account does with the files of a namespace. Every answer is held against the contract; one that is no success is thrown. */
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
      const form = new FormData()
      form.set('file', new Blob([bytes]), file_name)
      const whole = new Response(form)
      const headers = { 'content-type': whole.headers.get('content-type') ?? '' }
      await api.call(operations.uploadFile, { params, raw: new Uint8Array(await whole.arrayBuffer()), headers }, 200)
    },
    status: async (file_name: string) =>
      (await api.call(operations.getFileStatus, { params: { ...params, file_name } }, 200)).body,
    list: async () => (await api.call(operations.listFiles, { params }, 200)).body.files,
    remove: async (file_name: string): Promise<string> => {
      const { body } = await api.call(operations.deleteFiles, { params, body: { file_name } }, 200)
      return body.results[0]?.status ?? 'nothing'
    },
    /** Ids of what holds the sentence, of the file alone. */
    find: async (sentence: string, source: string): Promise<string[]> => {
      const body = { query: `${sentence} #source:${source}`, namespaces: [namespace_name], top_k: maxHits }
      const { results } = (await api.call(operations.search, { body }, 200)).body
      return results.flatMap(({ id, text }) => (plain(text).includes(plain(sentence)) ? [id] : []))
    },
  }
}

export type FileClient = ReturnType<typeof fileClient>

import { connectTo } from './http-load.ts'
import { jsonRequest } from './upload-request.ts'

export type ApiAddress = { readonly port: number; readonly apiKey: string }

/** One connection to the API, for calls one after the other; an answer of another status than the wanted one rejects. */
export const connectApi = async ({ port, apiKey }: ApiAddress) => {
  const connection = await connectTo(port)
  return {
    call: async <T>(method: string, path: string, expected: number, body?: unknown): Promise<T> => {
      const answer = await connection.send(jsonRequest(method, path, apiKey, body))
      if (answer.status !== expected) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body}`)
      return JSON.parse(answer.body.toString()) as T
    },
    /** The status, whatever it is. */
    tell: async (method: string, path: string, body?: unknown): Promise<number> =>
      (await connection.send(jsonRequest(method, path, apiKey, body))).status,
    close: connection.close,
  }
}

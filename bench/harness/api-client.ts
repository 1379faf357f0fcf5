import { connectTo } from './http-load.ts'
import { jsonRequest } from './upload-request.ts'

export type ApiAddress = { readonly port: number; readonly apiKey: string }

/** Opens one connection to the API, for sequential requests. A call rejects on any status but the expected one. */
export const connectApi = async ({ port, apiKey }: ApiAddress) => {
  const connection = await connectTo(port)
  return {
    call: async <T>(method: string, path: string, expected: number, body?: unknown): Promise<T> => {
      const answer = await connection.send(jsonRequest(method, path, apiKey, body))
      if (answer.status !== expected) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body}`)
      return JSON.parse(answer.body.toString()) as T
    },
    /** Resolves to any status. */
    status: async (method: string, path: string, body?: unknown): Promise<number> =>
      (await connection.send(jsonRequest(method, path, apiKey, body))).status,
    close: connection.close,
  }
}

export type Api = Awaited<ReturnType<typeof connectApi>>

/** Keeps a connection open while `use` runs. */
export const withApi = async <T>(address: ApiAddress, use: (api: Api) => Promise<T>): Promise<T> => {
  const api = await connectApi(address)
  try {
    return await use(api)
  } finally {
    api.close()
  }
}

/** Sends one request over a new connection. */
export const callApi = <T>(address: ApiAddress, ...call: Parameters<Api['call']>): Promise<T> =>
  withApi(address, (api) => api.call<T>(...call))

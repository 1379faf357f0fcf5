import { CairnError } from './error.ts'
import { type CallOptions, sleep, type Transport } from './transport.ts'
import type { FileStatus, Upload } from './types.ts'

export type WaitOptions = {
  readonly signal?: AbortSignal | undefined
  /** Time for the whole wait, after which it rejects with `timeout`. Default: 900,000 (15 minutes). */
  readonly timeoutMs?: number
}

export type WaitFor = {
  /** Resolves to the upload once it is `completed` or `failed`. */
  upload(namespace: string, uploadId: string, options?: WaitOptions): Promise<Upload>
  /** Resolves to the state of the file once it is `completed` or `failed`. */
  file(namespace: string, fileName: string, options?: WaitOptions): Promise<FileStatus>
  /**
   * Resolves once the deletion of the namespace is completed and its name is free. Needs the scope `admin`. It repeats
   * the deletion, so nobody should create a namespace of this name meanwhile.
   */
  namespaceDeleted(name: string, options?: WaitOptions): Promise<void>
}

const defaultWaitMs = 900_000
const firstPauseMs = 100
const longestPauseMs = 2_000

/** Calls `read` until it resolves to something. */
const poll = async <T>(
  what: string,
  read: (call: CallOptions) => Promise<T | undefined>,
  { signal, timeoutMs = defaultWaitMs }: WaitOptions,
): Promise<T> => {
  const end = Date.now() + timeoutMs
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
    const found = await read({ signal })
    if (found !== undefined) return found
    const leftMs = end - Date.now()
    if (leftMs <= 0) throw new CairnError('timeout', `${what} did not end within ${timeoutMs / 1_000} s`)
    await sleep(Math.min(pause, leftMs), signal)
  }
}

const isFinal = (state: string): boolean => state === 'completed' || state === 'failed'

export const createWaitFor = ({ api, send }: Transport): WaitFor => ({
  upload: (namespace, uploadId, options = {}) =>
    poll(
      `The upload ${uploadId}`,
      async (call) => {
        const path = { namespace_name: namespace, upload_id: uploadId }
        const upload = await send(
          (signal) => api.GET('/v1/namespaces/{namespace_name}/uploads/{upload_id}', { params: { path }, signal }),
          { ...call, repeat: 'idempotent' },
        )
        return isFinal(upload.state) ? upload : undefined
      },
      options,
    ),
  file: (namespace, fileName, options = {}) =>
    poll(
      `The processing of ${fileName}`,
      async (call) => {
        const path = { namespace_name: namespace, file_name: fileName }
        const status = await send(
          (signal) => api.GET('/v1/namespaces/{namespace_name}/files/{file_name}/status', { params: { path }, signal }),
          { ...call, repeat: 'idempotent' },
        )
        return isFinal(status.state) ? status : undefined
      },
      options,
    ),
  namespaceDeleted: async (name, options = {}) => {
    const params = { path: { namespace_name: name } }
    await poll(
      `The deletion of ${name}`,
      async (call) => {
        const { namespaces } = await send((signal) => api.GET('/v1/namespaces', { signal }), {
          ...call,
          repeat: 'idempotent',
        })
        // Listed again: the deletion had ended, and the name was used again.
        if (namespaces.some(({ namespace_name }) => namespace_name === name)) return true
        try {
          await send((signal) => api.DELETE('/v1/namespaces/{namespace_name}', { params, signal }), {
            ...call,
            repeat: 'idempotent',
          })
          return undefined
        } catch (error) {
          if (error instanceof CairnError && error.code === 'not_found') return true
          throw error
        }
      },
      options,
    )
  },
})

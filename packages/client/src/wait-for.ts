import { CairnError } from './error.ts'
import { sleep, type Transport } from './transport.ts'
import type { Deletion, FileStatus, Upload } from './types.ts'

export type WaitOptions<T = unknown> = {
  /** Aborts the wait, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds of the whole wait; then rejects with `timeout`. Default: 900,000 (15 minutes). */
  readonly timeoutMs?: number
  /** Called with the state about once a second until it is final, and then once more. */
  readonly onState?: (state: T) => void
}

export type WaitFor = {
  /** Resolves to the upload once it is `completed` or `failed`. */
  upload(namespace: string, uploadId: string, options?: WaitOptions<Upload>): Promise<Upload>
  /**
   * Resolves to the state of the file once it is `completed` or `failed`.
   *
   * @example
   * const { state, message, remedy } = await cairn.waitFor.file('notes', 'report.pdf')
   * if (state === 'failed') console.error(message, remedy)
   */
  file(namespace: string, fileName: string, options?: WaitOptions<FileStatus>): Promise<FileStatus>
  /** Resolves once the deletion is `completed` or `failed`. Completed, a namespace's name is free. */
  deletion(deletionId: string, options?: WaitOptions<Deletion>): Promise<Deletion>
}

const defaultWaitMs = 900_000
const maxRequestSeconds = 20
/** For servers that answer before the wait has ended. */
const pauseMs = 100

/** The server delays its response until the work has ended, so a short pause is enough. */
const untilFinal = async <T extends { readonly state: string }>(
  what: string,
  read: (wait: number, signal: AbortSignal | undefined) => Promise<T>,
  { signal, timeoutMs = defaultWaitMs, onState }: WaitOptions<T> = {},
): Promise<T> => {
  const end = Date.now() + timeoutMs
  for (;;) {
    const leftMs = Math.max(0, end - Date.now())
    const maxSeconds = onState ? 1 : maxRequestSeconds
    const found = await read(Math.min(maxSeconds, Math.floor(leftMs / 1_000)), signal)
    onState?.(found)
    if (found.state === 'completed' || found.state === 'failed') return found
    if (leftMs === 0) throw new CairnError('timeout', `${what} did not end within ${timeoutMs / 1_000} s`)
    await sleep(Math.min(pauseMs, leftMs), signal)
  }
}

export const createWaitFor = ({ call, timeoutMs }: Transport): WaitFor => {
  /** The server may use all of the wait before it answers. */
  const waiting = (wait: number, signal: AbortSignal | undefined) => ({ signal, timeoutMs: wait * 1_000 + timeoutMs })
  return {
    upload: (namespace, uploadId, options) => {
      const read = (wait: number, signal: AbortSignal | undefined) => {
        const params = { path: { namespace_name: namespace, upload_id: uploadId }, query: { wait } }
        const path = '/v1/namespaces/{namespace_name}/uploads/{upload_id}'
        return call('get', path, { params }, waiting(wait, signal))
      }
      return untilFinal(`The upload ${uploadId}`, read, options)
    },
    file: (namespace, fileName, options) => {
      const read = (wait: number, signal: AbortSignal | undefined) => {
        const params = { path: { namespace_name: namespace, file_name: fileName }, query: { wait } }
        const path = '/v1/namespaces/{namespace_name}/files/{file_name}/status'
        return call('get', path, { params }, waiting(wait, signal))
      }
      return untilFinal(`The processing of ${fileName}`, read, options)
    },
    deletion: (deletionId, options) => {
      const read = (wait: number, signal: AbortSignal | undefined) => {
        const params = { path: { deletion_id: deletionId }, query: { wait } }
        return call('get', '/v1/deletions/{deletion_id}', { params }, waiting(wait, signal))
      }
      return untilFinal(`The deletion ${deletionId}`, read, options)
    },
  }
}

import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const steps = 20

export type PutAnswer = { readonly status: number; readonly text: string }

/**
 * Sends a request (default: PUT) whose bytes take `ms`, in equal steps. Resolves to undefined if the connection broke
 * or `signal` was aborted.
 */
export const slowPut = async (options: {
  readonly url: string
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly ms: number
  readonly method?: string
  readonly signal?: AbortSignal
}): Promise<PutAnswer | undefined> => {
  const { url, bytes, contentType, ms, method = 'PUT', signal } = options
  const headers = { 'content-type': contentType, 'content-length': bytes.length }
  const sent = request(url, { method, headers, ...(signal ? { signal } : {}) })
  const answered = new Promise<PutAnswer | undefined>((resolve) => {
    sent.on('error', () => resolve(undefined))
    sent.on('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', () => resolve(undefined))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
    })
  })
  const size = Math.max(1, Math.ceil(bytes.length / steps))
  for (let from = 0; from < bytes.length && !sent.destroyed; from += size) {
    sent.write(bytes.subarray(from, from + size))
    await pause(ms / steps)
  }
  sent.end()
  return answered
}

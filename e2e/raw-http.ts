import { request } from 'node:http'
import { connect } from 'node:net'
import type { Answer } from './check-answer.ts'

export type Spoken = {
  /** All bytes that the server wrote, as text. */
  readonly text: string
  /** Status codes of the responses in `text`, in order. */
  readonly statuses: readonly number[]
  /** Whether the server closed the connection. */
  readonly closed: boolean
  readonly ms: number
}

export const socketOf = (url: string) => {
  const { hostname, port } = new URL(url)
  return connect({ host: hostname, port: Number(port || 80) })
}

/**
 * Writes bytes unchanged and reads until the server closes the connection, `answers` responses have arrived, or the
 * timeout (default: 5 s) expires.
 */
export const speak = (
  url: string,
  bytes: string | Uint8Array,
  {
    answers = Number.POSITIVE_INFINITY,
    withinMs = 5_000,
  }: { readonly answers?: number; readonly withinMs?: number } = {},
): Promise<Spoken> =>
  new Promise((resolve) => {
    const from = performance.now()
    const socket = socketOf(url)
    let text = ''
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
    const settle = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, statuses: statuses(), closed, ms: performance.now() - from })
    }
    const timer = setTimeout(() => settle(false), withinMs)
    socket
      .setEncoding('latin1')
      .on('data', (more: string) => {
        text += more
        if (statuses().length >= answers && text.includes('\r\n\r\n')) settle(false)
      })
      .on('close', () => settle(true))
      // A reset also counts as closing; everything written before the reset counts.
      .on('error', () => undefined)
    socket.write(bytes)
  })

/** A response with `ms`, the time from sending to the last byte of the response. */
export type TimedAnswer = Answer & { readonly ms: number }

export type HttpCall = {
  readonly method?: string
  /** Sent unchanged, without normalization or escaping. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Written part by part, chunked unless `content-length` is among the headers. */
  readonly body?: readonly (string | Uint8Array)[]
}

/**
 * Sends one request without correcting anything in it. A response that arrives while the body is still being sent
 * counts.
 */
export const httpCall = (
  url: string,
  { method = 'GET', path, headers = {}, body = [] }: HttpCall,
): Promise<TimedAnswer> =>
  new Promise((resolve, reject) => {
    const from = performance.now()
    const { hostname, port } = new URL(url)
    let answered = false
    const call = request({
      host: hostname,
      port,
      method,
      path,
      headers: { ...headers } as Record<string, string | string[]>,
      agent: false,
    })
    call.on('response', (response) => {
      answered = true
      let text = ''
      response.setEncoding('utf8').on('data', (more: string) => (text += more))
      response.on('error', reject).on('end', () => {
        call.destroy()
        const entries = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          [value].flat().join(', '),
        ])
        resolve({ status: response.statusCode ?? 0, headers: new Headers(entries), text, ms: performance.now() - from })
      })
    })
    call.on('error', (error) => (answered ? undefined : reject(error)))
    for (const part of body) call.write(part)
    call.end()
  })

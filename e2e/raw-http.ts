import { request } from 'node:http'
import { connect } from 'node:net'
import type { Answer } from './check-answer.ts'

export type Spoken = {
  /** Everything the server wrote. */
  readonly text: string
  /** Status codes of the answers in it, in their order. */
  readonly statuses: readonly number[]
  /** The server ended the connection. */
  readonly closed: boolean
  readonly ms: number
}

export const socketOf = (url: string) => {
  const { hostname, port } = new URL(url)
  return connect({ host: hostname, port: Number(port || 80) })
}

/** Writes bytes as they are and listens until the server ends the connection, `answers` have come, or time is up (5 s). */
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
      // A reset is an end too; what was written before it counts.
      .on('error', () => undefined)
    socket.write(bytes)
  })

/** `ms`: from sending to the last byte of the answer. */
export type TimedAnswer = Answer & { readonly ms: number }

export type HttpCall = {
  readonly method?: string
  /** Sent as it is: not normalised, not escaped. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** Written one after the other, chunked unless `content-length` is among the headers. */
  readonly body?: readonly (string | Uint8Array)[]
}

/** One request of which nothing is put right on the way. An answer that comes while the body is still being sent counts. */
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

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type S3FileStoreOptions, s3FileStore } from '../s3.ts'

export type Answer = {
  readonly status: number
  readonly body?: string | Buffer
  readonly headers?: Record<string, string>
}
type Seen = { readonly request: string; readonly headers: IncomingHttpHeaders; readonly body: string }
/** `cut`: closes the connection without an answer. `silent`: sends nothing; the script may send the answer itself. */
export type Script = (
  request: string,
  count: number,
  message: IncomingMessage,
  response: ServerResponse,
) => Answer | 'cut' | 'silent'

export const xml = (content: string): string => `<?xml version="1.0" encoding="UTF-8"?>${content}`
export const fault = (status: number, code: string): Answer => ({
  status,
  body: xml(`<Error><Code>${code}</Code><Message>because</Message></Error>`),
  headers: { 'content-type': 'application/xml' },
})
export const found = (etag: string): Answer => ({
  status: 200,
  headers: { etag: `"${etag}"`, 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT', 'content-length': '3' },
})

/** `PUT key`, `GET ?list-type`, `POST key?uploads`. */
const nameOf = ({ method = '', url = '' }: IncomingMessage): string => {
  const { pathname, searchParams } = new URL(url, 'http://host')
  const [first] = [...searchParams.keys()].filter((name) => name !== 'x-id')
  return `${method} ${pathname.split('/').slice(2).join('/')}${first ? `?${first}` : ''}`
}

/** Answers by a script and records its requests. */
export const scripted = async (script: Script, options: Partial<S3FileStoreOptions> = {}) => {
  const seen: Seen[] = []
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const request = nameOf(message)
    seen.push({ request, headers: message.headers, body: Buffer.concat(chunks).toString('latin1') })
    const answer = script(request, seen.filter((one) => one.request === request).length, message, response)
    if (answer === 'cut') message.socket.destroy()
    else if (answer !== 'silent') response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = s3FileStore({
    endpoint,
    region: 'us-east-1',
    pathStyle: true,
    bucket: 'bucket',
    prefix: 'cairn',
    credentials: { accessKeyId: 'the-id', secretAccessKey: 'the-secret' },
    ...options,
  })
  onTestFinished(async () => {
    await store.close()
    server.closeAllConnections()
    server.close()
  })
  return { store, endpoint, requests: () => seen.map(({ request }) => request), seen }
}

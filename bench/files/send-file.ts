import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiAddress, callApi, withApi } from '../harness/api-client.ts'

/** Poll interval; each poll takes processor time from the measured service. */
const pollEveryMs = 250

type Sent = { readonly contentType: string; readonly sizeBytes: number; readonly body: () => Readable }

/** Sends one request with a body of known length; rejects on any status but 200. */
const send = async (
  method: string,
  url: string,
  headers: Readonly<Record<string, string | number>>,
  body: Readable,
): Promise<void> => {
  const call = request(url, { method, headers })
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  const [[response]] = await Promise.all([answered, pipeline(body, call)])
  const said = (await response.toArray()).join('')
  if (response.statusCode !== 200) throw new Error(`the ${method} answered ${response.statusCode}: ${said}`)
}

export const putTo = (url: string, { contentType, sizeBytes, body }: Sent): Promise<void> =>
  send('PUT', url, { 'content-type': contentType, 'content-length': sizeBytes }, body())

/** Uploads one file with `upload-file`. */
export const postForm = (
  { port, apiKey }: ApiAddress,
  namespace: string,
  name: string,
  { contentType, sizeBytes, body }: Sent,
): Promise<void> => {
  const boundary = 'cairn-bench-form'
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${contentType}\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* form() {
    yield head
    yield* body()
    yield tail
  }
  const headers = {
    'x-api-key': apiKey,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + sizeBytes + tail.length,
  }
  const url = `http://127.0.0.1:${port}/v1/namespaces/${namespace}/upload-file`
  return send('POST', url, headers, Readable.from(form(), { objectMode: false }))
}

type UploadUrl = { readonly upload_url: string; readonly key: string; readonly content_type: string }

/** Requests an upload URL, as a client does. */
const requestUploadUrl = (
  address: ApiAddress,
  namespace: string,
  name: string,
  sizeBytes: number,
): Promise<UploadUrl> =>
  callApi<UploadUrl>(address, 'POST', `/v1/namespaces/${namespace}/upload-url`, 200, {
    file_name: name,
    file_size: sizeBytes,
  })

/** Requests an upload URL and sends the file to it. */
export const sendFile = async (
  address: ApiAddress,
  namespace: string,
  name: string,
  file: Pick<Sent, 'sizeBytes' | 'body'>,
): Promise<UploadUrl> => {
  const granted = await requestUploadUrl(address, namespace, name, file.sizeBytes)
  await putTo(granted.upload_url, { ...file, contentType: granted.content_type })
  return granted
}

type FileStatus = {
  readonly state: string
  readonly reason: string | null
  readonly chunks: number
  readonly summaries: number
}

/** Waits until the whole file can be searched. Rejects if the file failed, or after `withinMs`. */
export const untilCompleted = (
  address: ApiAddress,
  namespace: string,
  name: string,
  withinMs: number,
): Promise<FileStatus> =>
  withApi(address, async (api) => {
    const from = performance.now()
    for (;;) {
      const status = await api.call<FileStatus>(
        'GET',
        `/v1/namespaces/${namespace}/files/${encodeURIComponent(name)}/status`,
        200,
      )
      if (status.state === 'completed') return status
      if (status.state === 'failed') throw new Error(`${name} failed: ${status.reason}`)
      if (performance.now() - from > withinMs) throw new Error(`${name} is ${status.state} after ${withinMs} ms`)
      await pause(pollEveryMs)
    }
  })

import { CairnError, limits } from '@cairn/client'
import { createApi, send } from './api.ts'
import { bytes } from './format.ts'

/** A file too large for the API, whose upload URL has another host, which the page may not call. */
export class ElsewhereError extends CairnError {
  constructor() {
    const limit = bytes(limits.directFileBytes)
    super(
      'unsupported',
      `Files above ${limit} must be sent directly to the object store, which this page may not access.`,
    )
  }
}

type OnProgress = (sent: number) => void

const sendBody = (url: string, { method, headers, signal }: Request, body: Blob, onProgress: OnProgress) =>
  new Promise<Response>((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open(method, url)
    for (const [name, value] of headers) sending.setRequestHeader(name, value)
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    // The client aborts the signal on a timeout.
    signal.onabort = () => sending.abort()
    sending.onabort = () => reject(signal.reason)
    sending.onerror = () => reject(new CairnError('network', 'The connection was lost during the upload.'))
    sending.onload = () => resolve(new Response(sending.responseText || null, { status: sending.status }))
    sending.send(body)
  })

/** Uses `XMLHttpRequest`: `fetch` reports no progress of uploads. */
const sendWithProgress =
  (file: File, onProgress: OnProgress): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    if (request.method === 'PUT') {
      // A single process receives the file itself, whatever host name its upload URL has.
      const { pathname, search, port } = new URL(request.url)
      if (!pathname.startsWith('/files/') || port !== location.port) throw new ElsewhereError()
      return sendBody(pathname + search, request, file, onProgress)
    }
    const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data')
    return isForm ? sendBody(request.url, request, await request.blob(), onProgress) : send(request)
  }

/** Reports the fraction sent, 0 to 1. */
export const uploadFile = async (
  apiKey: string,
  namespace: string,
  file: File,
  onProgress: OnProgress,
): Promise<void> => {
  const method = file.size <= limits.directFileBytes ? 'form' : 'signed'
  await createApi(apiKey, { fetch: sendWithProgress(file, onProgress) }).files.upload(namespace, file, { method })
}

import { CairnError, limits } from '@cairn/client'
import { createApi, send } from './api.ts'
import { bytes } from './format.ts'

/** The file is too large for the API, and its upload URL is of another host, which the page may not call. */
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
    // The client aborts it when its time is up.
    signal.onabort = () => sending.abort()
    sending.onabort = () => reject(signal.reason)
    sending.onerror = () => reject(new CairnError('network', 'The connection was lost during the upload.'))
    sending.onload = () => resolve(new Response(sending.responseText || null, { status: sending.status }))
    sending.send(body)
  })

/** `fetch` reports no progress of what it sends; `XMLHttpRequest` does. */
const sendWithProgress =
  (file: File, onProgress: OnProgress): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    if (request.method === 'PUT') {
      // The one process receives the file itself, whatever name of it the address has.
      const { pathname, search, port } = new URL(request.url)
      if (!pathname.startsWith('/files/') || port !== location.port) throw new ElsewhereError()
      return sendBody(pathname + search, request, file, onProgress)
    }
    const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data')
    return isForm ? sendBody(request.url, request, await request.blob(), onProgress) : send(request)
  }

/** Sends a file and reports the part that was sent, 0 to 1. */
export const uploadFile = async (
  apiKey: string,
  namespace: string,
  file: File,
  onProgress: OnProgress,
): Promise<void> => {
  // Larger files go to their upload URL.
  const method = file.size <= limits.directFileBytes ? 'form' : 'signed'
  await createApi(apiKey, { fetch: sendWithProgress(file, onProgress) }).files.upload(namespace, file, { method })
}

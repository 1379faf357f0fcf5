import type { Guard } from '@cairn/runtime/api-request'
import { jsonBody } from '@cairn/runtime/json-body'

/** A call that may come without a body, whatever Content-Type it then announces; one that has any is read as JSON. */
export const optionalJsonBody = (): Guard<unknown> => {
  const read = jsonBody()
  return (request) => {
    const { headers } = request.raw
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
    return read(request)
  }
}

import type { Guard } from '@cairn/runtime/api-request'

/** Accepts a request without a body, whatever its Content-Type; a body is read by the given guard. */
export const optionalJsonBody =
  <C>(read: Guard<C>): Guard<C> =>
  (request) => {
    const { headers } = request.raw
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
    return read(request)
  }

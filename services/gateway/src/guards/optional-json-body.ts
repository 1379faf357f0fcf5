import type { Guard } from '@cairn/runtime/api-request'

/** A call that may come without a body, whatever Content-Type it then announces; one that has any is read by the given guard. */
export const optionalJsonBody =
  <C>(read: Guard<C>): Guard<C> =>
  (request) => {
    const { headers } = request.raw
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
    return read(request)
  }

import { createHash } from 'node:crypto'
import {
  idempotencyKeyHeader,
  idempotencyKeyInProgress,
  idempotencyKeyInvalid,
  idempotencyKeyReused,
  idempotencyKeysFull,
} from '@cairn/contracts/api/failures'
import { errorStatus, isAppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { ApiRequest, Endpoint, HttpResponse } from '@cairn/runtime/http/api-request'
import { failureResponse } from '@cairn/runtime/http/failure-response'
import { type Caller, ownerOf } from './call.ts'
import type { GatewayPorts } from './deps.ts'
import { endFileHash, receiveForm, startFileHash } from './guards/form-body.ts'
import { createSealing } from './sealing.ts'
import { createWindowCount } from './window-count.ts'

const renewEveryMs = 10_000
const hourMs = 3_600_000
const keepMs = limits.idempotencyKeySeconds * 1_000
const keyPattern = new RegExp(`^[!-~]{1,${limits.idempotencyKeyLength}}$`)

type StoredResponse = Pick<HttpResponse, 'status' | 'body' | 'contentHash'>

const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

const isForm = ({ raw }: ApiRequest<Caller>): boolean =>
  (raw.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() === 'multipart/form-data'

/** Hashes query and body, without the content of a form, which has not been read yet. */
const fingerprintOf = ({ sentQuery, bodyHash }: ApiRequest<Caller>): string =>
  `b.${hashOf(JSON.stringify(sentQuery), bodyHash ?? '')}`

/** Stores nothing. */
const hashOfForm = (request: ApiRequest<Caller>): Promise<string> =>
  receiveForm(request, async ({ name, bytes, field }) => {
    const hash = startFileHash(name)
    for await (const chunk of bytes as AsyncIterable<Buffer>) hash.update(chunk)
    return endFileHash(hash, field)
  })

/**
 * A failure that is temporary, or concerns the caller, must not be repeated for a day. One of a form may be caused by
 * its content, which the fingerprint does not cover, or by a broken connection.
 */
const isKept = (status: number, request: ApiRequest<Caller>): boolean =>
  status < 400 || (status < 500 && status !== 401 && status !== 429 && !isForm(request))

/** A stored failure names the request that it answers. */
const asOf = ({ status, body }: StoredResponse, { requestId }: ApiRequest<Caller>): HttpResponse => {
  const isNamed = typeof body === 'object' && body !== null && 'request_id' in body
  return { status, body: isNamed ? { ...body, request_id: requestId } : body }
}

export type IdempotentDeps = Pick<GatewayPorts, 'store' | 'clock' | 'ids' | 'log'> & {
  /** Encrypts stored responses. */
  readonly responseKey: Uint8Array
}

/** Sends repetitions the stored response. A request whose process dies holds its key for 30 s. */
export const idempotent = ({ store, clock, ids, log, responseKey }: IdempotentDeps) => {
  const sealing = createSealing<StoredResponse>(responseKey)
  const kept = createWindowCount(clock, { windowMs: hourMs, max: limits.idempotencyBytesPerHour })
  return (endpoint: Endpoint<Caller>): Endpoint<Caller> => {
    const { operation, handle } = endpoint
    const { method, path, errors } = operation
    if (!operation.idempotencyKey) return endpoint

    /** Converts a failure that is to be stored to a response; throws others. */
    const run = async (request: ApiRequest<Caller>): Promise<HttpResponse> => {
      try {
        return await handle(request)
      } catch (error) {
        if (!isAppError(error) || !isKept(errorStatus[error.code], request)) throw error
        return failureResponse(error, { shape: errors, requestId: request.requestId, operation, now: clock.now() })
      }
    }

    const runOnce = async (request: ApiRequest<Caller>, sent: string): Promise<HttpResponse> => {
      if (!keyPattern.test(sent)) throw idempotencyKeyInvalid()
      const { repeatableRequests } = store
      const owner = request.caller === 'admin' ? 'admin' : ownerOf(request.caller)
      const key = hashOf(method, path, JSON.stringify(request.params), sent)
      const held = { owner, key, token: ids.next('request') }
      if (kept.isFull(owner)) throw idempotencyKeysFull()
      const begun = await repeatableRequests.begin({ ...held, fingerprint: fingerprintOf(request) }, keepMs)
      if (begun === 'running') throw idempotencyKeyInProgress()
      if (begun === 'reused') throw idempotencyKeyReused()
      const place = `${owner} ${key}`
      if (begun !== 'begun') {
        const stored = sealing.open(begun.response, place)
        if (isForm(request) && (await hashOfForm(request)) !== stored.contentHash) throw idempotencyKeyReused()
        request.setHeader('Idempotency-Replayed', 'true')
        return asOf(stored, request)
      }
      const ended = new AbortController()
      const renewal = (async () => {
        for (;;) {
          await clock.delay(renewEveryMs, ended.signal)
          if (ended.signal.aborted) return
          // Repeated in time: the lease lasts for three renewal intervals.
          await repeatableRequests.renew(held).catch(() => undefined)
        }
      })()
      const attempt = (what: string, write: () => Promise<unknown>) =>
        write().catch((error: unknown) => log.warn({ err: error, operationId: operation.operationId }, what))
      const release = () => attempt('idempotency key not released', () => repeatableRequests.release(held))
      try {
        const response = await run(request)
        const { status, body, contentHash } = response
        // If the response can't be stored, the key is free when the lease expires.
        if (isKept(status, request)) {
          const sealed = sealing.seal({ status, body, ...(contentHash === undefined ? {} : { contentHash }) }, place)
          kept.add(owner, sealed.length)
          await attempt('response not stored', () => repeatableRequests.finish(held, sealed))
        } else await release()
        return response
      } catch (error) {
        await release()
        throw error
      } finally {
        ended.abort()
        await renewal
      }
    }

    return {
      operation,
      handle: (request) => {
        const sent = request.header(idempotencyKeyHeader.toLowerCase())
        return sent === undefined ? handle(request) : runOnce(request, sent)
      },
    }
  }
}

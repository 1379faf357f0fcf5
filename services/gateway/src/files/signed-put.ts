import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AppError, isAppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import { type S3Response, s3Error, s3Unavailable } from '@cairn/contracts/s3-error'
import { openGrantOf } from '@cairn/domain/object-keys'
import { registerObject } from '@cairn/domain/register-object'
import { tierOf } from '@cairn/domain/tiers'
import type { Account, Grant } from '@cairn/ports/metadata/records'
import { corsHeaders } from '@cairn/runtime/cors'
import { createFairSlots } from '@cairn/runtime/fair-slots'
import { hasManyHosts, takesContinue } from '@cairn/runtime/http-server'
import type { Answered } from '@cairn/runtime/routes'
import { sendResponse } from '@cairn/runtime/send-response'
import { createTimings } from '@cairn/runtime/timings'
import { endServerSpan, serverSpan } from '@cairn/runtime/tracing/server-span'
import type { Tracing } from '@cairn/runtime/tracing/tracing'
import type { RequestHandler } from 'express'
import type { FilePorts } from '../deps.ts'
import type { InFlight } from './bytes-in-flight.ts'
import { registerDeps } from './register-upload.ts'
import { enterInFlight } from './reserve-storage.ts'
import { watchRate } from './watch-rate.ts'

/** The receiving end of signed requests where no object store of its own stands: in the one-process mode. */
export type SignedPuts = {
  /** What the request may do; undefined: `receive` refuses it. Reads nothing of its body. */
  allows(request: IncomingMessage): { readonly key: string /** Of a part. */; readonly uploadId: string | undefined } | undefined
  receive(request: IncomingMessage): Promise<S3Response>
}

export type SignedPutOptions = {
  readonly corsOrigins: readonly string[]
  /** Told about every call once its answer is sent or its client gone. */
  readonly observe?: (answered: Answered) => void
  readonly tracing: Tracing
}

const root = '/files/'
/** Received at once. The others wait with their bodies unread, but for what a connection buffers, some 200 kB. */
const mostPuts = 256
const mostPutsOfAccount = 64
/** The published SDK retries a 503 with what is left of a stream it has read, so a refusal is the last resort. */
const waiting = { waiting: 128, waitingPerOwner: 64, longestWaitMs: 45_000 }
/** Who sends nothing for so long is gone. */
const silentMs = 60_000

const withdrawn = () => s3Error(403, 'AccessDenied', 'The permission to send this file was withdrawn.')
const tooLarge = () => s3Error(400, 'EntityTooLarge', `At most ${limits.fileBytes} bytes are taken.`)
const overQuota = (error: AppError) => s3Error(403, 'QuotaExceeded', error.message)
const failed = () => s3Error(500, 'InternalError', 'We encountered an internal error. Please try again.')

const send = (raw: IncomingMessage, response: ServerResponse, { status, headers, body }: S3Response): void =>
  sendResponse(raw, response, { status, headers, ...(body === '' ? {} : { body }) })

/**
 * Answers everything under `/files/` as S3 would, and takes in what was stored. Mounted before the routes of the API and not below a
 * path, since what is signed is the whole path.
 */
export const signedPut = (puts: SignedPuts, deps: FilePorts, { corsOrigins, observe, tracing }: SignedPutOptions): RequestHandler => {
  const { files, clock, log } = deps
  const cors = corsHeaders(corsOrigins)
  const slots = createFairSlots({ size: mostPuts, perOwner: mostPutsOfAccount, ...waiting, what: 'uploads are being received' })

  /** Registers what was stored. The file is safe: a sweep registers it if this fails. */
  const register = async (grant: Grant, requestId: string): Promise<S3Response | undefined> => {
    try {
      const object = await files.head(grant.key)
      const cause = { correlationId: requestId, traceparent: tracing.remote()?.traceparent ?? null }
      const result = object && (await registerObject(registerDeps(deps), grant, object, { cause }))
      if (result?.outcome === 'overLimit') return s3Error(403, 'QuotaExceeded', 'The storage limit of the account is reached.')
      return result?.outcome === 'revoked' || result?.outcome === 'namespaceGone' ? withdrawn() : undefined
    } catch (error) {
      log.warn({ err: error, correlationId: requestId }, 'uploaded file not registered yet')
      return undefined
    }
  }

  /** An object store receives whatever is sent, and the sweep counts it; here an upload without room is refused before it is received. */
  const enter = (grant: Grant, account: Account, uploadId: string | undefined, length: number): Promise<InFlight> => {
    if (uploadId === undefined) {
      const announced = (grant.reservedUntil ?? 0) > clock.now() ? (grant.reservedBytes ?? 0) : 0
      return enterInFlight(deps, account, grant, Math.max(0, length - announced), async () => ({ of: 'put', bytes: length }))
    }
    return enterInFlight(deps, account, grant, length, async () => {
      // As recorded, not as stored: a part is in the store some time before it is no longer on its way.
      const stored = (await deps.metadata.grants.get(grant.namespaceId, grant.name))?.partsBytes ?? 0
      return { of: 'parts', bytes: stored + length, stored }
    })
  }

  /** The parts as they are now. */
  const countParts = async (grant: Grant, account: Account, uploadId: string): Promise<void> => {
    const bytes = await files.multipartBytes(grant.key, uploadId)
    if (!bytes) return
    const { accountId, namespaceId, name, partsUntil } = grant
    const until = partsUntil ?? grant.expiresAt + limits.partsKeptSeconds * 1_000
    const quota = { bytes: null, openUploads: null }
    if (tierOf(deps.tiers, account.tier).bytes !== null)
      await deps.metadata.grants.reserve({ accountId, namespaceId, name, of: 'parts', uploadId, bytes, until, at: clock.now(), quota })
  }

  const answer = async (raw: IncomingMessage, response: ServerResponse, requestId: string): Promise<S3Response> => {
    if (hasManyHosts(raw)) return s3Error(400, 'InvalidRequest', 'The Host header must be sent once.')
    const allowed = puts.allows(raw)
    if (!allowed) return puts.receive(raw)
    const length = Number(raw.headers['content-length'] ?? 0)
    // What is announced as too large need not come: the store would find it out after 5 GB of it.
    if (length > limits.fileBytes) return tooLarge()
    const { key, uploadId } = allowed
    const grant = await openGrantOf(deps.metadata, files, key)
    const account = grant && (await deps.metadata.accounts.get(grant.accountId))
    if (!grant || !account) return withdrawn()
    if (uploadId !== undefined && grant.uploadId !== uploadId) return s3Error(404, 'NoSuchUpload', 'The multipart upload does not exist.')
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const leaveSlot = await slots.take(account.id, gone.signal)
    try {
      return await receive(raw, response, { requestId, grant, account, uploadId, length })
    } finally {
      leaveSlot()
    }
  }

  const receive = async (
    raw: IncomingMessage,
    response: ServerResponse,
    upload: {
      readonly requestId: string
      readonly grant: Grant
      readonly account: Account
      readonly uploadId: string | undefined
      readonly length: number
    },
  ): Promise<S3Response> => {
    const { requestId, grant, account, uploadId, length } = upload
    const onItsWay = await enter(grant, account, uploadId, length)
    const watch = watchRate(raw)
    try {
      if (takesContinue(raw)) response.writeContinue()
      const received = await puts.receive(raw)
      if (received.status !== 200) return received
      if (uploadId === undefined) return (await onItsWay.register(() => register(grant, requestId))) ?? received
      await onItsWay.register(() => countParts(grant, account, uploadId))
      return received
    } finally {
      watch.stop()
      onItsWay.leave()
    }
  }

  return async (raw, response, next) => {
    if (!raw.url.startsWith(root)) return next()
    const requestId = `req_${randomUUID()}`
    const timings = createTimings(clock)
    const auth = raw.method === 'PUT' ? 'key' : 'none'
    const span = serverSpan(tracing, raw, { operationId: 'putSignedFile', method: 'put', path: root, auth }, requestId)
    response.once('close', () => {
      const status = response.writableFinished ? response.statusCode : 499
      const answered = { operationId: 'putSignedFile', method: raw.method, route: root, status, seconds: timings.elapsedMs() / 1_000 }
      observe?.(answered)
      endServerSpan(span, status)
      // Never the address: whoever has it may send the file.
      span.run(() => log.info({ correlationId: requestId, ...answered }, 'answered'))
    })
    const methods = ['PUT', 'OPTIONS']
    const preflight = raw.method === 'OPTIONS'
    for (const [name, value] of Object.entries(cors({ origin: raw.headers.origin, preflight, methods }))) response.setHeader(name, value)
    // A page needs it of each part.
    if (response.hasHeader('access-control-expose-headers')) response.setHeader('access-control-expose-headers', 'ETag, x-request-id')
    response.setHeader('x-request-id', requestId)
    response.setHeader('x-content-type-options', 'nosniff')
    response.setHeader('cache-control', 'no-store')
    if (preflight) return send(raw, response, { status: 204, headers: { allow: methods.join(', ') }, body: '' })
    raw.setTimeout(silentMs, () => void (raw.complete || raw.destroy()))
    try {
      send(raw, response, await span.run(() => answer(raw, response, requestId)))
    } catch (error) {
      // Its client is gone, or its connection is.
      if (raw.destroyed && !raw.complete) return void response.destroy()
      if (isAppError(error, 'forbidden')) return send(raw, response, overQuota(error))
      span.fail(error)
      const isOutage = isAppError(error, 'unavailable') || isAppError(error, 'limited')
      log[isOutage ? 'warn' : 'error']({ err: error, correlationId: requestId }, 'file upload failed')
      send(raw, response, isOutage ? s3Unavailable(error) : failed())
    }
  }
}

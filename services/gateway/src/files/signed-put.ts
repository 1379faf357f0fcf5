import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AppError, isAppError } from '@cairn/contracts/errors'
import { limits } from '@cairn/contracts/limits'
import type { Grant } from '@cairn/ports/metadata/records'
import { corsHeaders } from '@cairn/runtime/cors'
import { hasManyHosts, takesContinue } from '@cairn/runtime/http-server'
import { noticeObject } from '@cairn/runtime/notice-object'
import { openGrantOf } from '@cairn/runtime/object-keys'
import type { Answered } from '@cairn/runtime/routes'
import { sendAnswer } from '@cairn/runtime/send-answer'
import { createTimings } from '@cairn/runtime/timings'
import { endServerSpan, serverSpan } from '@cairn/runtime/tracing/server-span'
import type { Tracing } from '@cairn/runtime/tracing/tracing'
import type { RequestHandler } from 'express'
import type { FilePorts } from '../deps.ts'
import { reserveStorage } from './reserve-storage.ts'
import { noticeDeps } from './take-in.ts'

/** The receiving end of signed requests where no object store of its own stands: in the one-process mode. */
export type SignedPuts = {
  /** What the request may do; undefined: `receive` refuses it. Reads nothing of its body. */
  allows(request: IncomingMessage): { readonly key: string; readonly isPart: boolean } | undefined
  receive(request: IncomingMessage): Promise<SignedPutAnswer>
}

type SignedPutAnswer = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }

export type SignedPutOptions = {
  readonly corsOrigins: readonly string[]
  /** Told about every call once its answer is sent or its client gone. */
  readonly observe?: (answered: Answered) => void
  readonly tracing: Tracing
}

const root = '/files/'
/** Who sends nothing for so long is gone. */
const silentMs = 60_000

const refusal = (status: number, code: string, message: string, headers: SignedPutAnswer['headers'] = {}): SignedPutAnswer => ({
  status,
  headers: { 'content-type': 'application/xml', ...headers },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>\n`,
})
const withdrawn = () => refusal(403, 'AccessDenied', 'The permission to send this file was withdrawn.')
const tooLarge = () => refusal(400, 'EntityTooLarge', `At most ${limits.fileBytes} bytes are taken.`)
const overQuota = (error: AppError) => refusal(403, 'QuotaExceeded', error.message)
const unavailable = (error: AppError) =>
  refusal(503, 'ServiceUnavailable', 'Please try again.', { 'retry-after': String(error.retryAfterSeconds ?? 1) })
const failed = () => refusal(500, 'InternalError', 'We encountered an internal error. Please try again.')

const send = (raw: IncomingMessage, response: ServerResponse, { status, headers, body }: SignedPutAnswer): void =>
  sendAnswer(raw, response, { status, headers, ...(body === '' ? {} : { body }) })

/**
 * Answers everything under `/files/` as S3 would, and takes in what was stored. Mounted before the routes of the API and not below a
 * path, since what is signed is the whole path.
 */
export const signedPut = (puts: SignedPuts, deps: FilePorts, { corsOrigins, observe, tracing }: SignedPutOptions): RequestHandler => {
  const { files, clock, log } = deps
  const cors = corsHeaders(corsOrigins)

  const takeIn = async (grant: Grant, requestId: string) => {
    const object = await files.head(grant.key)
    if (object)
      await noticeObject(noticeDeps(deps), grant, object, {
        cause: { correlationId: requestId, traceparent: tracing.remote()?.traceparent ?? null },
      })
  }

  /** An object store takes what comes, and the sweep counts it; here what does not fit need not come. */
  const reserve = async (grant: Grant, isPart: boolean, length: number): Promise<SignedPutAnswer | undefined> => {
    const account = await deps.metadata.accounts.get(grant.accountId)
    if (!account) return undefined
    const parts = isPart && grant.uploadId !== null ? ((await files.multipartBytes(grant.key, grant.uploadId)) ?? 0) : 0
    const until = Math.max(grant.reservedUntil ?? 0, clock.now() + limits.uploadUrlSeconds * 1_000)
    try {
      await reserveStorage(deps, account, grant, { bytes: parts + length, stored: parts, until })
      return undefined
    } catch (error) {
      if (isAppError(error, 'forbidden')) return overQuota(error)
      throw error
    }
  }

  const answer = async (raw: IncomingMessage, response: ServerResponse, requestId: string): Promise<SignedPutAnswer> => {
    if (hasManyHosts(raw)) return refusal(400, 'InvalidRequest', 'The Host header must be sent once.')
    const allowed = puts.allows(raw)
    if (!allowed) return puts.receive(raw)
    // What is announced as too large need not come: the store would find it out after 5 GB of it.
    if (Number(raw.headers['content-length'] ?? 0) > limits.fileBytes) return tooLarge()
    // A store of its own would take the file, and it would be removed afterwards; here it need not come at all.
    const grant = await openGrantOf(deps.metadata, files, allowed.key)
    if (!grant) return withdrawn()
    const refused = await reserve(grant, allowed.isPart, Number(raw.headers['content-length'] ?? 0))
    if (refused) return refused
    if (takesContinue(raw)) response.writeContinue()
    const received = await puts.receive(raw)
    if (received.status === 200 && !allowed.isPart) {
      // The file is safe, and a sweep takes it in if this fails.
      await takeIn(grant, requestId).catch((error: unknown) =>
        log.warn({ err: error, correlationId: requestId }, 'uploaded file not registered yet'),
      )
    }
    return received
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
      span.fail(error)
      const isOutage = isAppError(error, 'unavailable')
      log[isOutage ? 'warn' : 'error']({ err: error, correlationId: requestId }, 'file upload failed')
      send(raw, response, isOutage ? unavailable(error) : failed())
    }
  }
}

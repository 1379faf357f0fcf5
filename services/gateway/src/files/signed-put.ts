import type { IncomingMessage } from 'node:http'
import { type S3Response, s3Error } from '@cairn/contracts/api/s3-error'
import { AppError } from '@cairn/contracts/errors'
import { putSignedFile } from '@cairn/contracts/http/signed-put'
import { limits } from '@cairn/contracts/limits'
import type { Account } from '@cairn/domain/accounts/record'
import { tierOf } from '@cairn/domain/accounts/tiers'
import { openGrantOf } from '@cairn/domain/files/object-keys'
import type { Grant } from '@cairn/domain/files/record'
import { registerObject } from '@cairn/domain/files/register-object'
import { reserveParts } from '@cairn/domain/files/reserve-parts'
import type { ApiRequest, Endpoint } from '@cairn/runtime/http/api-request'
import { closedEarly } from '@cairn/runtime/http/read-body'
import { FairSlots } from '@cairn/runtime/throttles/fair-slots'
import { type Caller, causeOf } from '../call.ts'
import type { FilePorts } from '../deps.ts'
import { slots } from '../slots.ts'
import type { InFlight } from './bytes-in-flight.ts'
import { registerDeps } from './register-upload.ts'
import { enterInFlight } from './reserve-storage.ts'
import { watchRate } from './watch-rate.ts'

/** Used in a process without an object store. */
export type SignedPuts = {
  /** Returns what a request may write (`uploadId`: a part); undefined if `receive` will reject it. Reads no body. */
  allows(request: IncomingMessage): { readonly key: string; readonly uploadId: string | undefined } | undefined
  receive(request: IncomingMessage): Promise<S3Response>
}

/** A client silent for this long is treated as disconnected. */
const silentMs = 60_000

const withdrawn = () => s3Error(403, 'AccessDenied', 'The permission to send this file was withdrawn.')
type Request = ApiRequest<Caller>

type Upload = {
  readonly grant: Grant
  readonly account: Account
  readonly uploadId: string | undefined
  readonly length: number
}

/** Receives files and registers their objects. */
class SignedPutReceiver {
  readonly #signedPuts: SignedPuts
  readonly #deps: FilePorts
  readonly #slots = new FairSlots(slots.signedPuts)

  constructor(signedPuts: SignedPuts, deps: FilePorts) {
    this.#signedPuts = signedPuts
    this.#deps = deps
  }

  async handle(request: Request): Promise<S3Response> {
    const { raw } = request
    raw.setTimeout(silentMs, () => void (raw.complete || raw.destroy()))
    try {
      return await this.#answer(request)
    } catch (error) {
      throw raw.destroyed && !raw.complete ? closedEarly() : error
    }
  }

  async #answer(request: Request): Promise<S3Response> {
    const { raw } = request
    const { ungatedStore, files } = this.#deps
    const allowed = this.#signedPuts.allows(raw)
    if (!allowed) return this.#signedPuts.receive(raw)
    const length = Number(raw.headers['content-length'] ?? 0)
    // By its announced size; the store would only notice after 5 GB.
    if (length > limits.fileBytes) throw new AppError('tooLarge', `At most ${limits.fileBytes} bytes are taken.`)
    const { key, uploadId } = allowed
    const grant = await openGrantOf(ungatedStore, files, key)
    const account = grant && (await ungatedStore.accounts.get(grant.accountId))
    if (!grant || !account) return withdrawn()
    if (uploadId !== undefined && grant.uploadId !== uploadId)
      throw new AppError('notFound', 'The multipart upload does not exist.')
    const leaveSlot = await this.#slots.take(account.id, request.signal)
    try {
      return await this.#receive(request, { grant, account, uploadId, length })
    } finally {
      leaveSlot()
    }
  }

  async #receive(request: Request, upload: Upload): Promise<S3Response> {
    const { raw } = request
    const { grant, account, uploadId } = upload
    const onItsWay = await this.#enter(upload)
    const watch = watchRate(raw)
    try {
      request.continueBody()
      const received = await this.#signedPuts.receive(raw)
      if (received.status !== 200) return received
      if (uploadId === undefined) return (await onItsWay.register(() => this.#register(grant, request))) ?? received
      // The bytes are already stored, so nothing is rejected here.
      if (tierOf(this.#deps.tiers, account.tier).bytes !== null)
        await onItsWay.register(() => reserveParts(this.#deps, grant, null))
      return received
    } finally {
      watch.stop()
      onItsWay.leave()
    }
  }

  /** Rejects an upload beyond the limit before it is received; with an object store, the sweep counts it. */
  #enter({ grant, account, uploadId, length }: Upload): Promise<InFlight> {
    const { store, clock } = this.#deps
    if (uploadId === undefined) {
      const announced = (grant.reservedUntil ?? 0) > clock.now() ? (grant.reservedBytes ?? 0) : 0
      const bytes = Math.max(0, length - announced)
      return enterInFlight(this.#deps, account, grant, bytes, async () => ({ of: 'put', bytes: length }))
    }
    return enterInFlight(this.#deps, account, grant, length, async () => {
      // Counts recorded, not stored bytes: a part is stored some time before it stops being in flight.
      const stored = (await store.grants.get(grant.namespaceId, grant.name))?.partsBytes ?? 0
      return { of: 'parts', bytes: stored + length, stored }
    })
  }

  /** A failure does not lose the file: a sweep registers it. */
  async #register(grant: Grant, request: Request): Promise<S3Response | undefined> {
    try {
      const object = await this.#deps.files.head(grant.key)
      const cause = causeOf(request)
      const result = object && (await registerObject(registerDeps(this.#deps), grant, object, { cause }))
      if (result?.outcome === 'overLimit')
        return s3Error(403, 'QuotaExceeded', 'The storage limit of the account is reached.')
      return result?.outcome === 'revoked' || result?.outcome === 'namespaceGone' ? withdrawn() : undefined
    } catch (error) {
      request.log.warn({ err: error }, 'uploaded file not registered yet')
      return undefined
    }
  }
}

export const signedPut = (signedPuts: SignedPuts, deps: FilePorts): Endpoint<Caller> => {
  const receiver = new SignedPutReceiver(signedPuts, deps)
  return { operation: putSignedFile, handle: (request) => receiver.handle(request) }
}

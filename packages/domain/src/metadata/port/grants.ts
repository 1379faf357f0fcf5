import type { Grant, RegisteredObject } from '../records.ts'
import type { Limit, Page } from './common.ts'

/** What an account may store. `openUploads`: permitted uploads of unannounced size that have not arrived. */
export type StorageQuota = { readonly bytes: Limit; readonly openUploads: Limit }

export type ReserveInput = {
  readonly accountId: string
  readonly namespaceId: string
  readonly name: string
  /** The purpose: a single PUT, or the parts of a multipart upload. */
  readonly of: 'put' | 'parts'
  /** The multipart upload of the parts. If the grant has another one, nothing is reserved. Default: any. */
  readonly uploadId?: string
  /** null: not announced. Rejected when the quota is already reached. */
  readonly bytes: number | null
  /** Wall time at which the reservation expires; null: only check the quota. */
  readonly until: number | null
  /** Wall time. */
  readonly at: number
  /** Bytes of the account in flight that no record has yet. Default: none. */
  readonly inFlight?: number
  readonly quota: StorageQuota
}

/**
 * `gone`: the grant is not open. `overLimit` and `overOpenUploads`: what is held without it; an earlier reservation
 * stays.
 */
export type ReserveResult = 'reserved' | 'gone' | { readonly overLimit: number } | { readonly overOpenUploads: number }

type Draft = Omit<
  Grant,
  | 'state'
  | 'nextLookAt'
  | 'looks'
  | 'seen'
  | 'uploadId'
  | 'reservedBytes'
  | 'reservedUntil'
  | 'partsBytes'
  | 'partsUntil'
>

export interface GrantStore {
  /**
   * Creates the grant, or renews the one of this name, which keeps its key until it expires. Undefined when other
   * requests keep renewing it.
   */
  open(
    draft: Draft & {
      /** Begins a multipart upload; left out: one that is under way goes on. */ readonly uploadId?: string | null
    },
  ): Promise<
    (Grant & { /** The multipart upload that this one has replaced. */ readonly replacedUploadId?: string }) | undefined
  >
  /**
   * Reserves bytes for what is uploaded under the grant, instead of its earlier reservation of this kind, which a
   * renewal never lowers while it is in force. The file that a PUT replaces does not count. Rejected only if several
   * checks found no capacity.
   */
  reserve(input: ReserveInput): Promise<ReserveResult>
  /**
   * Moves the reservation of the parts to the object they become, in one step: it ends, and one of the same bytes for a
   * PUT begins, which ends when the object is registered. `to: 'parts'` moves it back. False when the grant has another
   * upload.
   */
  moveReservation(
    upload: { readonly namespaceId: string; readonly name: string; readonly uploadId: string },
    to: 'put' | 'parts',
    reservation: { readonly bytes: number /** Wall time. */; readonly until: number },
  ): Promise<boolean>
  /**
   * Ends a completed or aborted multipart upload and the reservation of its parts. Does nothing when the grant has
   * another one.
   */
  endMultipart(namespaceId: string, name: string, uploadId: string): Promise<void>
  /** Returns what is reserved at this wall time, and how many of these uploads were announced without a size. */
  reserved(accountId: string, at: number): Promise<{ readonly bytes: number; readonly openUploads: number }>
  get(namespaceId: string, name: string): Promise<Grant | undefined>
  /**
   * Extends an open grant to this wall time at least. Undefined when it is not open, or when other requests keep
   * changing it.
   */
  extend(namespaceId: string, name: string, expiresAt: number): Promise<Grant | undefined>
  /** By name. */
  page(namespaceId: string, page: Page): Promise<Grant[]>
  /** Returns grants whose objects must be checked now. */
  due(limit: number): Promise<Grant[]>
  /**
   * Records a check; the next follows after `afterMs`. `seen` ends the reservation of a PUT, unless it came in a form
   * (`inForm`). Only if the grant is unchanged since it was read (`looks`).
   */
  recordCheck(
    grant: Grant,
    next: { readonly afterMs: number; readonly registered?: RegisteredObject; readonly inForm?: boolean },
  ): Promise<void>
  /** Revokes the grant: nothing may be uploaded any more, and nothing is reserved. */
  revoke(namespaceId: string, name: string): Promise<Grant | undefined>
  /** Only if the grant is unchanged since it was read (`looks`). */
  remove(grant: Grant): Promise<void>
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
  countOfNamespace(namespaceId: string): Promise<number>
}

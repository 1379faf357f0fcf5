import type { Grant, RegisteredObject } from '../records.ts'
import type { Limit, Page } from './common.ts'

/** What an account may store. `openUploads`: uploads of unannounced size that were permitted and have not arrived. */
export type StorageQuota = { readonly bytes: Limit; readonly openUploads: Limit }

export type ReserveInput = {
  readonly accountId: string
  readonly namespaceId: string
  readonly name: string
  /** What is reserved for: a single PUT, or the parts of a multipart upload. */
  readonly of: 'put' | 'parts'
  /** Of parts: the multipart upload; where it is no longer that of the grant, nothing is reserved. Default: whichever. */
  readonly uploadId?: string
  /** null: not announced. It is refused where the quota is reached already. */
  readonly bytes: number | null
  /** Wall time at which the reservation ends by itself; null: it is only asked whether there is room. */
  readonly until: number | null
  /** Wall time. */
  readonly at: number
  /** Bytes of the account that are on their way and in no record yet. Default: none. */
  readonly inFlight?: number
  readonly quota: StorageQuota
}

/** `gone`: the grant is not open. `overLimit` and `overOpenUploads`: what is held without it; an earlier reservation stays. */
export type ReserveResult = 'reserved' | 'gone' | { readonly overLimit: number } | { readonly overOpenUploads: number }

type Draft = Omit<
  Grant,
  'state' | 'nextLookAt' | 'looks' | 'seen' | 'uploadId' | 'reservedBytes' | 'reservedUntil' | 'partsBytes' | 'partsUntil'
>

export interface GrantStore {
  /** Writes it, or renews the one of this name, which keeps its key while it is unexpired. Undefined when others keep renewing it. */
  open(
    draft: Draft & { /** Begins a multipart upload; left out: one that is under way goes on. */ readonly uploadId?: string | null },
  ): Promise<(Grant & { /** The multipart upload that this one has replaced. */ readonly replacedUploadId?: string }) | undefined>
  /**
   * Reserves bytes for what is uploaded under the grant, in place of its earlier reservation of this kind, which a renewal of an address never
   * lowers while it is in force. The file that a PUT replaces doesn't count. Refused only where there was no room at several looks.
   */
  reserve(input: ReserveInput): Promise<ReserveResult>
  /**
   * The parts become an object: in one step their reservation ends and one of the same bytes for a PUT begins, which ends when the object
   * is registered; or, `to: 'parts'`, the other way round. False where the grant is of another upload.
   */
  moveReservation(
    upload: { readonly namespaceId: string; readonly name: string; readonly uploadId: string },
    to: 'put' | 'parts',
    reservation: { readonly bytes: number /** Wall time. */; readonly until: number },
  ): Promise<boolean>
  /** The multipart upload was completed or aborted: it and the reservation of its parts end. Nothing where the grant is of another one. */
  endMultipart(namespaceId: string, name: string, uploadId: string): Promise<void>
  /** What is reserved at this wall time, and how many of these uploads were not announced with a size. */
  reserved(accountId: string, at: number): Promise<{ readonly bytes: number; readonly openUploads: number }>
  get(namespaceId: string, name: string): Promise<Grant | undefined>
  /** Good until this wall time at least, as long as it is open; undefined when it is not, or when others keep changing it. */
  extend(namespaceId: string, name: string, expiresAt: number): Promise<Grant | undefined>
  /** By name. */
  page(namespaceId: string, page: Page): Promise<Grant[]>
  /** Those whose objects are to be looked for now. */
  due(limit: number): Promise<Grant[]>
  /**
   * Looked for: the next time after `afterMs`. `seen` ends the reservation of a PUT, unless it came in a form (`inForm`). Only while it is as
   * it was read (`looks`).
   */
  looked(grant: Grant, next: { readonly afterMs: number; readonly seen?: RegisteredObject; readonly inForm?: boolean }): Promise<void>
  /** Nothing may be brought any more, and nothing is reserved. */
  revoke(namespaceId: string, name: string): Promise<Grant | undefined>
  /** Only while it is as it was read (`looks`). */
  remove(grant: Grant): Promise<void>
  removeOfNamespace(namespaceId: string, limit: number): Promise<number>
  countOfNamespace(namespaceId: string): Promise<number>
}

import type { FileProgress, FileStage } from '../files/record.ts'

/** Each accepted document or vector ends in exactly one of `searchable`, `failed`, `superseded`. */
export type EventType =
  | `${'document' | 'vector'}.${'accepted' | 'searchable' | 'failed' | 'superseded' | 'deleted'}`
  | `file.${'accepted' | 'progress' | 'searchable' | 'failed' | 'deleted'}`
  | 'namespace.deleted'

export type EventGroup = {
  readonly type: EventType
  /** Ids of documents or vectors; the name of a file or a namespace. */
  readonly ids: readonly string[]
  /** Code of `failed`; `overwritten` or `deleted` for `superseded`. */
  readonly reason?: string
  readonly stage?: FileStage
  readonly progress?: FileProgress
  /** Set in `file.searchable` events of files with notes; `codes` are distinct. */
  readonly notes?: { readonly count: number; readonly codes: readonly string[] }
}

/**
 * `seq` is drawn before the record is inserted, so a lower number may appear later: readers stop before a missing
 * number (`events.after`).
 */
export type EventRecord = {
  /** `<account id> <key>`, so that a repeated step records nothing twice. */
  readonly id: string
  readonly accountId: string
  readonly seq: number
  /** Null: of no existing namespace. */
  readonly namespaceId: string | null
  /** Upload or deletion; null for a file's event. */
  readonly jobId: string | null
  /** Wall time, never before that of a lower number. */
  readonly at: number
  /** Empty if the content was removed, or the record only fills a missing number. */
  readonly groups: readonly EventGroup[]
}

export type EventCounter = {
  readonly accountId: string
  readonly last: number
  /** Latest time of a record. */
  readonly at: number
  /** Number of the last expired record; 0: none. */
  readonly expired: number
}

import type { FileProgress, FileStage } from '../files/record.ts'

/**
 * Changes of documents, vectors, files and namespaces. Each accepted document or vector ends in exactly one of
 * `searchable`, `failed`, `superseded`.
 */
export type EventType =
  | `${'document' | 'vector'}.${'accepted' | 'searchable' | 'failed' | 'superseded' | 'deleted'}`
  | `file.${'accepted' | 'progress' | 'searchable' | 'failed' | 'deleted'}`
  | 'namespace.deleted'

/** Events of one type: one event for each of `ids`. */
export type EventGroup = {
  readonly type: EventType
  /** Ids of documents or vectors; the name of a file or a namespace. */
  readonly ids: readonly string[]
  /** Reason code of `failed`; `overwritten` or `deleted` for `superseded`. */
  readonly reason?: string
  /** Stage reported by `file.progress`. */
  readonly stage?: FileStage
  readonly progress?: FileProgress
  /** Number of notes, and their distinct codes; only set in `file.searchable` events of files with notes. */
  readonly notes?: { readonly count: number; readonly codes: readonly string[] }
}

/**
 * Events that one step of a job has recorded. `seq` is drawn from the account's counter before the record is inserted,
 * so a record with a lower number may appear later: readers stop before a missing number (`events.after`).
 */
export type EventRecord = {
  /** `<account id> <key>`, so that a repeated step records nothing twice. */
  readonly id: string
  readonly accountId: string
  readonly seq: number
  /** Null: the event belongs to no existing namespace. */
  readonly namespaceId: string | null
  /** Id of the upload or the deletion; null for a file's event. */
  readonly jobId: string | null
  /** Wall time, never before that of a record with a lower number. */
  readonly at: number
  /** Empty in a record whose content was removed, or that only fills a missing number. */
  readonly groups: readonly EventGroup[]
}

/** State of an account's event sequence. */
export type EventCounter = {
  readonly accountId: string
  /** Number drawn last. */
  readonly last: number
  /** Latest time of the records so far. */
  readonly at: number
  /** Number of the last record that has expired; 0: none has expired. */
  readonly expired: number
}

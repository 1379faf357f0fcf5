import type { SearchMode } from '@cairn/contracts/http/search'
import type { Language } from '@cairn/contracts/text/languages'
import type { Readability } from '@cairn/contracts/text/scripts'
import type { EmbeddingModel } from '../ports/embedder.ts'

export type NamespaceType = 'text' | 'vector'

/** An operation in progress in a namespace. `by` names the record that decides what the operation changes. */
export type OpenEntry = {
  readonly overdueAt: number
  readonly by: 'upload' | 'deletion' | 'file'
  /** Set if `by` is `file`. */
  readonly fileId?: string
}

/** Position of a full count of a namespace: items by id, then files by name. */
export type CountPass = {
  readonly phase: 'items' | 'files'
  /** The last key counted. */
  readonly after: string
  /** Count up to that key, including later changes up to that key. */
  readonly sum: number
  /** Equals `countSeq` as long as every operation that left has added its change to the pass. */
  readonly seq: number
}

export type Namespace = {
  /** Never reused: a namespace created again under the same name has another id. */
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly type: NamespaceType
  /** Set for a vector namespace; null for text. */
  readonly dimension: number | null
  /** Set for a text namespace; null for vector. */
  readonly embedding: EmbeddingModel | null
  readonly state: 'active' | 'deleting'
  readonly deletionId: string | null
  /** Wall time. */
  readonly deletionStartedAt: number | null
  /** Wall time at which the deletion was expected to end when it began. Missing before that. */
  readonly deletionEstimatedAt?: number | null
  readonly itemCount: number
  readonly countSeq: number
  /** Operations in progress that will change `itemCount`. */
  readonly open: { readonly [token: string]: OpenEntry }
  readonly openCount: number
  readonly entryClosedUntil: number
  /** The running count; null: none runs. */
  readonly countPass: CountPass | null
  /**
   * Version of the rules of the lexemes of the namespace's points (`lexemesVersion`); some points may be of a later one.
   */
  readonly lexemes: number
  /** Language whose word endings are ignored in a search by words. */
  readonly language: Language
  /** Wall time at which points were found missing in the index; absent or null: no points are known to be missing. */
  readonly lostPointsAt?: number | null
  /** Absent or null: all points are in the space of `embedding`. */
  readonly reindex?: Reindex | null
  /** Equals the phase of `reindex`, because an index needs a field of the record. */
  readonly reindexPhase?: Reindex['phase'] | null
  /** Models of former reindexes: a late writer may have left points in their spaces. */
  readonly formerEmbeddings?: readonly EmbeddingModel[]
  /** The last re-extraction, kept after its end. Missing before the first re-extraction. */
  readonly reextraction?: Reextraction | null
  /** Equals the id of `reextraction` while it runs, because an index needs a field of the record. */
  readonly reextractionId?: string | null
  /** Wall time. */
  readonly createdAt: number
}

/**
 * A pass over the files of a namespace, by name, that extracts again each file that an earlier version has extracted.
 */
export type Reextraction = {
  /** Id, also the correlation id of the files that the pass has begun to process. */
  readonly id: string
  /** Wall times. */
  readonly startedAt: number
  readonly endedAt: number | null
  /** Name of the last file that the pass has reached. */
  readonly cursor: string
  /** Ids of the files that the pass has reached and that are being processed, whoever began that. */
  readonly underWay: readonly string[]
  /** Number of outdated files when the pass began. */
  readonly total: number
  readonly extracted: number
  /** Files that could not be extracted again; their published version is unchanged. */
  readonly failed: number
  /** Files that were left unchanged because the object store no longer has their bytes. */
  readonly withoutBytes: number
}

/** Result of the same queries on both spaces. Times in milliseconds. */
export type ReindexComparison = {
  readonly queries: number
  /** Mean share of the ten best items by `embedding` that are also among the ten best by the second model, 0 to 1. */
  readonly overlap: number
  readonly medianMs: number
  readonly secondMedianMs: number
}

/**
 * A second space of a text namespace, and the progress of the switch to this space. Writers write to both spaces in
 * every phase but `removing`; only `embedding` of the namespace is searched.
 *
 * - `filling`: the points of all items are written to the second space. Then `filled`: the reindex waits for the
 *   request to flip.
 * - `closing`: a last pass over all items while writers know that both spaces must have their points. Then the two
 *   models switch places.
 * - `former`: the second space is now the one that was searched before the flip; it is kept until `flippedAt` +
 *   `keepMs`, so that the flip can be reversed.
 * - `removing`: the points of the second space are being removed.
 */
export type Reindex = {
  readonly id: string
  /** Model of the second space. */
  readonly embedding: EmbeddingModel
  readonly phase: 'filling' | 'filled' | 'closing' | 'former' | 'removing'
  /** Whether the models switch places as soon as the space is filled. */
  readonly isAutomatic: boolean
  readonly keepMs: number
  /** Wall times. */
  readonly startedAt: number
  readonly phaseAt: number
  /** Set in `former` and `removing`, and in `closing` if it follows `former`. */
  readonly flippedAt: number | null
  /** Position of the pass; null: at its beginning. */
  readonly cursor: string | null
  /** `itemCount` of the namespace when the reindex began. */
  readonly total: number
  /** Items and chunks that the pass has reached. */
  readonly passed: number
  /** Items and chunks that any pass has embedded. */
  readonly written: number
  /**
   * Items and chunks of this pass that only the second model rejects, so that searches with that model would not find
   * them.
   */
  readonly rejected: number
  readonly error: string | null
  /** Texts of searches since the reindex began, for the comparison; null: texts are not kept, or no longer kept. */
  readonly queries: readonly string[] | null
  readonly comparison: ReindexComparison | null
}

/** Id of a deleted namespace, kept forever: an object that arrives for this namespace may be removed at once. */
export type RetiredNamespace = {
  readonly id: string
  readonly accountId: string
  /** Wall time. */
  readonly at: number
}

/** How well a model reads each script, as the sentences of this version have measured. */
export type ModelProbe = {
  /** The model's identity (`identityOf`). */
  readonly id: string
  /** `probeVersion` at the time. */
  readonly version: number
  readonly reads: Readability
  /** Wall time. */
  readonly at: number
}

/** Result of searching a namespace by questions with known answers. Means are 0 to 1. */
export type Evaluation = {
  readonly namespaceId: string
  /** Ids sort by creation time, so the last one in order is the newest. */
  readonly id: string
  /** Wall time. */
  readonly at: number
  /** Hash of the questions: results of different questions are not compared. */
  readonly questionsHash: string
  readonly mode: SearchMode
  /** The namespace's model and number of items when the result was kept. */
  readonly model: EmbeddingModel
  readonly itemCount: number
  readonly questions: number
  readonly ndcg: number
  readonly recall: number
  /** Number of questions for which nothing right was found. */
  readonly withoutHit: number
  /** Comparison with an earlier evaluation, which may have been removed since; null: not compared. */
  readonly change: {
    readonly id: string
    readonly mode: SearchMode
    readonly model: EmbeddingModel
    /** `ndcg` minus that of the earlier evaluation. */
    readonly difference: number
    readonly p: number
  } | null
  /** Scores of each question and the worst questions, as JSON text, which lists do not read. */
  readonly detail: string
}

import type { SearchMode } from '@cairn/contracts/http/search'
import type { Language } from '@cairn/contracts/text/languages'
import type { LanguageCoverage } from '@cairn/contracts/text/scripts'
import type { EmbeddingModel } from '../ports/embedder.ts'

export type NamespaceType = 'text' | 'vector'

/** `by`: the record that decides what the operation changes. */
export type OpenEntry = {
  readonly overdueAt: number
  readonly by: 'upload' | 'deletion' | 'file'
  /** Set if `by` is `file`. */
  readonly fileId?: string
}

/** Position of a full count: items by id, then files by name. */
export type CountPass = {
  readonly phase: 'items' | 'files'
  readonly after: string
  /** Count up to that key, including later changes there. */
  readonly sum: number
  /** Equals `countSeq` as long as every operation that left has added its change to the pass. */
  readonly seq: number
}

export type Namespace = {
  /** Never reused, not even under the same name. */
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly type: NamespaceType
  /** Null for text. */
  readonly dimension: number | null
  /** Null for vector. */
  readonly embedding: EmbeddingModel | null
  readonly state: 'active' | 'deleting'
  readonly deletionId: string | null
  /** Wall time. */
  readonly deletionStartedAt: number | null
  /** Wall time, as expected when the deletion began. */
  readonly deletionEstimatedAt?: number | null
  readonly itemCount: number
  readonly countSeq: number
  /** Will change `itemCount`. */
  readonly open: { readonly [token: string]: OpenEntry }
  readonly openCount: number
  readonly entryClosedUntil: number
  /** Null: no count runs. */
  readonly countPass: CountPass | null
  /** Version of the rules of the points' lexemes (`lexemesVersion`); some may be later. */
  readonly lexemes: number
  /** Its word endings are ignored in a search by words. */
  readonly language: Language
  /** Wall time at which points were found missing in the index; absent or null: none. */
  readonly lostPointsAt?: number | null
  /** Absent or null: all points are in the space of `embedding`. */
  readonly reindex?: Reindex | null
  /** Phase of `reindex`: an index needs a field of the record. */
  readonly reindexPhase?: Reindex['phase'] | null
  /** Models of former reindexes: a late writer may have left points in their spaces. */
  readonly formerEmbeddings?: readonly EmbeddingModel[]
  /** The last one, kept after its end. */
  readonly reextraction?: Reextraction | null
  /** Id of `reextraction` while it runs: an index needs a field of the record. */
  readonly reextractionId?: string | null
  /** Wall time. */
  readonly createdAt: number
}

/** Extracts again, by name, each file that an earlier version has extracted. */
export type Reextraction = {
  /** Also the correlation id of the files that the pass began to process. */
  readonly id: string
  /** Wall times. */
  readonly startedAt: number
  readonly endedAt: number | null
  /** Last file reached. */
  readonly cursor: string
  /** Files reached that are being processed, whoever began that. */
  readonly underWay: readonly string[]
  /** Outdated files at the beginning. */
  readonly total: number
  readonly extracted: number
  /** Not extracted again; their published version is unchanged. */
  readonly failed: number
  /** Left unchanged: the object store no longer has their bytes. */
  readonly withoutBytes: number
}

/** Both spaces, by equal queries. Times in milliseconds. */
export type ReindexComparison = {
  readonly queries: number
  /** Mean share of the ten best items by `embedding` among the ten best by the second model, 0 to 1. */
  readonly overlap: number
  readonly medianMs: number
  readonly secondMedianMs: number
}

/**
 * A second space of a text namespace, and the switch to it. Writers write to both in every phase but `removing`; only
 * `embedding` of the namespace is searched.
 * - `filling`: all points are written to the second space. `filled`: waits for the request to flip.
 * - `closing`: a last pass while writers know that both spaces must have their points; then the models switch places.
 * - `former`: the second space is the one searched before; kept until `flippedAt` + `keepMs`, to reverse the flip.
 * - `removing`: the points of the second space are being removed.
 */
export type Reindex = {
  readonly id: string
  /** Model of the second space. */
  readonly embedding: EmbeddingModel
  readonly phase: 'filling' | 'filled' | 'closing' | 'former' | 'removing'
  /** The models switch places as soon as the space is filled. */
  readonly isAutomatic: boolean
  readonly keepMs: number
  /** Wall times. */
  readonly startedAt: number
  readonly phaseAt: number
  /** Set in `former` and `removing`, and in `closing` if it follows `former`. */
  readonly flippedAt: number | null
  /** Null: at the beginning of the pass. */
  readonly cursor: string | null
  /** `itemCount` of the namespace at the beginning. */
  readonly total: number
  /** Items and chunks reached by the pass. */
  readonly passed: number
  /** Items and chunks embedded by any pass. */
  readonly written: number
  /** Items and chunks of this pass that only the second model rejects: its searches would not find them. */
  readonly rejected: number
  readonly error: string | null
  /** Searches since the beginning, for the comparison; null: not, or no longer, kept. */
  readonly queries: readonly string[] | null
  readonly comparison: ReindexComparison | null
}

/** Kept forever: an object that arrives for a deleted namespace may be removed at once. */
export type RetiredNamespace = {
  readonly id: string
  readonly accountId: string
  /** Wall time. */
  readonly at: number
}

/** How well a model reads each script, as this version's sentences have measured. */
export type ModelProbe = {
  /** `identityOf` the model. */
  readonly id: string
  /** `probeVersion` at the time. */
  readonly version: number
  readonly reads: LanguageCoverage
  /** Wall time. */
  readonly at: number
}

/** Searches by questions with known answers. Means are 0 to 1. */
export type Evaluation = {
  readonly namespaceId: string
  /** Sorts by creation time. */
  readonly id: string
  /** Wall time. */
  readonly at: number
  /** Results of different questions are not compared. */
  readonly questionsHash: string
  readonly mode: SearchMode
  /** The namespace at the time. */
  readonly model: EmbeddingModel
  readonly itemCount: number
  readonly questions: number
  readonly ndcg: number
  readonly recall: number
  /** Questions for which nothing right was found. */
  readonly withoutHit: number
  /** Against an earlier evaluation, which may have been removed since; null: not compared. */
  readonly change: {
    readonly id: string
    readonly mode: SearchMode
    readonly model: EmbeddingModel
    /** `ndcg` minus the earlier one. */
    readonly difference: number
    readonly p: number
  } | null
  /** Scores and worst questions as JSON text, which lists do not read. */
  readonly detail: string
}

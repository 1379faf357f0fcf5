import type { components, operations } from './api-types.ts'

type Schemas = components['schemas']

// Names and fields are those of the OpenAPI document.
/** A namespace with its counts. */
export type Namespace = Schemas['Namespace']
/** A namespace to create, of type `text` or `vector`. */
export type CreateNamespace = Schemas['CreateNamespace']
export type NamespaceCreated = Schemas['NamespaceCreated']
export type NamespaceDeleting = Schemas['NamespaceDeleting']
/** State of a deletion. */
export type Deletion = Schemas['Deletion']
/** A document to upload: `id`, `text`, and metadata in every other key. */
export type SentDocument = Schemas['SentDocument']
/** Id of an item: a text, or a number that becomes one. */
export type SentId = Schemas['SentId']
/** A stored document. */
export type CairnDocument = Schemas['Document']
export type FailedDocument = Schemas['FailedDocument']
/** A vector to upload: `id`, `vector`, an optional `text`, and metadata in every other key. */
export type SentVector = Schemas['SentVector']
export type FailedVector = Schemas['FailedVector']
/** A condition on metadata, or conditions combined by `and`, `or` and `not`. */
export type Filter = Schemas['Filter']
/** An item of a page: a document, or a chunk of a file. */
export type Chunk = Schemas['Chunk']
/** An item of a page without text and metadata. */
export type ChunkHead = Schemas['ChunkHead']
export type TextDataPage = Schemas['TextDataPage']
export type TextDataHeads = Schemas['TextDataHeads']
export type ItemsDeleted = Schemas['ItemsDeleted'] | Schemas['ItemsPartlyDeleted']
/** A search: `query`, `namespaces`, and how to search. */
export type Search = Schemas['Search']
/** Result of a search. */
export type Hits = Schemas['Hits']
/** An item that a search found, with its score. */
export type Hit = Schemas['Hit']
/** A question and how to answer it. */
export type Answer = Schemas['Answer']
/** An answer with its sources. */
export type Answered = Schemas['Answered']
/** A passage that an answer is from. */
export type AnswerSource = Schemas['AnswerSource']
/** State of an upload and of each of its documents. */
export type Upload = Schemas['Upload']
/** State of an upload. */
export type UploadSummary = Schemas['UploadSummary']
export type UploadList = Schemas['UploadList']
export type FileList = Schemas['FileList']
/** A file in a page of `files.page`. */
export type ListedFile = Schemas['ListedFile']
/** Metadata of a file: an object of at most 50 keys and 2,048 bytes of JSON. */
export type FileMetadata = Schemas['SentFileMetadata']
export type DownloadUrl = Schemas['DownloadUrl']
/** State of a file: how far it is processed, or why it failed and what to do. */
export type FileStatus = Schemas['FileStatus']
/** Something in a file that was not read, or may be read wrong. */
export type FileNote = Schemas['FileNote']
export type FileDeletion = Schemas['FileDeletion']
export type RetryFile = Schemas['RetryFile']
export type ConsoleCode = Schemas['ConsoleCode']
/** Usage of the account. */
export type OwnUsage = Schemas['OwnUsage']
export type UsageRow = Schemas['UsageRow']
export type UsageRange = NonNullable<operations['getOwnUsage']['parameters']['query']>
/** State of a change of model. */
export type Reindex = Schemas['Reindex']
export type ReindexEstimate = Schemas['ReindexEstimate']
export type Reextraction = Schemas['Reextraction']
export type Evaluation = Schemas['Evaluation']
export type EvaluationDetail = Schemas['EvaluationDetail']
export type KeepEvaluation = Schemas['KeepEvaluation']
export type StartReindex = Schemas['StartReindex']
/** An embedding model that the server offers. */
export type Model = Schemas['Model']
/** A tier of accounts, with its limits. */
export type Tier = Schemas['Tier']
/** An account, for the operator. */
export type Account = Schemas['Account']
export type UpdateAccount = Schemas['UpdateAccount']
/** An API key without its secret. */
export type ApiKey = Schemas['ApiKey']
/** A created key, with the secret that is shown only once. */
export type ApiKeyCreated = Schemas['ApiKeyCreated']
export type CreateKey = Schemas['CreateKey']
export type UpdateKey = Schemas['UpdateKey']
export type Usage = Schemas['Usage']
export type Orphan = Schemas['Orphan']
export type OrphanList = Schemas['OrphanList']
/** Whether the server is ready, and each of its dependencies. */
export type Readiness = Schemas['Readiness']
export type UploadDocumentOutcome = Schemas['UploadDocumentOutcome']
export type RetryFailed = Schemas['RetryFailed']
export type RetryUpload = Schemas['RetryUpload']
export type Retried = Schemas['Retried']

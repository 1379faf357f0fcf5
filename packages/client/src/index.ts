// biome-ignore-all lint/performance/noBarrelFile: all of the library comes from one place
export type { Admin, AdminPage } from './admin.ts'
export type { AnswerEvent } from './answer-events.ts'
export { fileExtensions, languages, limits, multilingualModel } from './api-constants.ts'
export type { components, operations, paths } from './api-types.ts'
export { Cairn } from './cairn.ts'
export type { ContentEvent, EventOptions } from './content-events.ts'
export { describePlace, filePartOf } from './describe-place.ts'
export type {
  DocumentProgress,
  DocumentUpload,
  DocumentUploadOptions,
  ItemSelection,
  PageOptions,
} from './documents.ts'
export { CairnError, type CairnErrorCode } from './error.ts'
export type { FileContent } from './file-source.ts'
export type { FileProgress, UploadMethod } from './file-upload.ts'
export type { FileContentOptions, FileUploadOptions, UploadedFile } from './files.ts'
export type { RetrySelection } from './retries.ts'
export type { CairnOptions, CallOptions } from './transport.ts'
export type * from './types.ts'
export type { VectorUpload, VectorUploadOptions } from './vectors.ts'
export type { WaitOptions } from './wait-for.ts'

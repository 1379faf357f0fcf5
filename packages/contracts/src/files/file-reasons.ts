/** Nothing more can be extracted: a retry has the same result. */
export type ReasonCode =
  | 'empty_file'
  | 'content_mismatch'
  | 'damaged'
  | 'encrypted'
  | 'no_text'
  | 'expands_too_large'
  | 'too_large_to_process'
  | 'too_slow_to_process'
  | 'value_too_large'
  | 'unknown_encoding'
  | 'parser_crashed'

/** Adds files that could not be stored or processed. */
export type FailureCode =
  | ReasonCode
  | 'too_much_text'
  | 'too_many_chunks'
  | 'quota_exceeded'
  | 'id_conflict'
  | 'object_too_large'
  | 'object_missing'
  | 'embedding_refused'
  | 'invalid_options'
  | 'crashed_worker'
  | 'internal'

/** For users. */
export const fileReasons: Readonly<Record<FailureCode, { readonly message: string; readonly remedy: string }>> = {
  empty_file: {
    message: 'The file is empty.',
    remedy: 'Check the file on your side and upload it again.',
  },
  content_mismatch: {
    message: 'The content of the file does not match its extension.',
    remedy:
      'Rename the file with the extension of its actual type, or save it again in the type of its extension, and upload it.',
  },
  damaged: {
    message: 'The file is damaged or incomplete.',
    remedy: 'Open the file in the program that created it, save it again, and upload it.',
  },
  encrypted: {
    message: 'The file is encrypted.',
    remedy: 'Remove its password or other protection and upload the file again.',
  },
  no_text: {
    message: 'The file holds no text.',
    remedy:
      'Upload a file with text. If it is a PDF of scanned pages, retry with text recognition enabled and the right language.',
  },
  expands_too_large: {
    message: 'The file is compressed and expands to more than its size allows.',
    remedy: 'Save it again in the program that created it, or split it into smaller files, and upload it.',
  },
  too_large_to_process: {
    message: 'The file is too large to be processed in the available memory.',
    remedy: 'Split it into smaller files and upload these.',
  },
  too_slow_to_process: {
    message: 'Processing the file took too long.',
    remedy: 'Split it into smaller files, or save it in a simpler form, and upload it again.',
  },
  value_too_large: {
    message: 'A single value in the file is too large or nested too deep.',
    remedy: 'Split the value, or remove it if it need not be searchable, and upload the file again.',
  },
  too_much_text: {
    message: 'The file expands to more text than its size allows.',
    remedy: 'Shorten the names of the columns, or split the file into smaller ones, and upload it again.',
  },
  too_many_chunks: {
    message: 'The file has too many chunks for its text: it repeats the same text, or has very little on each page.',
    remedy: 'Remove repeated pages or rows, or split the file into smaller ones, and upload it again.',
  },
  unknown_encoding: {
    message: 'The encoding of the text could not be detected.',
    remedy: 'Save the file as UTF-8 and upload it again, or retry with its encoding.',
  },
  parser_crashed: {
    message: 'The file could not be read: it crashed the parser of its type.',
    remedy: 'Open the file in the program that created it, save it again, and upload it.',
  },
  quota_exceeded: {
    message: 'The file, or its text, exceeds the rest of your quota.',
    remedy:
      'Delete data you no longer need, or request a larger quota. Then retry the file, or upload it again if its bytes were removed.',
  },
  id_conflict: {
    message: 'A chunk of the file would have the id of an existing document.',
    remedy: 'Rename the file, or delete the document with that id, and retry.',
  },
  object_too_large: {
    message: 'The file exceeds the maximum file size.',
    remedy: 'Split it into smaller files and upload these.',
  },
  embedding_refused: {
    message: 'The embedding model rejected every chunk.',
    remedy: 'Check the configured embedding model, or upload the file to a namespace with another model.',
  },
  invalid_options: {
    message: 'The file cannot be read with the requested options.',
    remedy: 'Retry with an installed language and an existing encoding, or without them.',
  },
  object_missing: {
    message: 'The file is no longer in the object store.',
    remedy: 'Upload the file again.',
  },
  crashed_worker: {
    message: 'Processing of the file was interrupted several times.',
    remedy: 'Retry. If it fails again, contact the operator of the service.',
  },
  internal: {
    message: 'Internal error while processing the file.',
    remedy: 'Retry later. If it fails again, contact the operator of the service.',
  },
}

/** Accepts codes written by an older or newer version. */
const reasonOf = (reason: string) =>
  Object.hasOwn(fileReasons, reason) ? fileReasons[reason as FailureCode] : fileReasons.internal

export const messageOf = (reason: string): string => reasonOf(reason).message
export const remedyOf = (reason: string): string => reasonOf(reason).remedy

/** Only after these, another attempt with the same bytes may succeed. */
const passing: readonly string[] = [
  'quota_exceeded',
  'id_conflict',
  'crashed_worker',
  'internal',
] satisfies readonly FailureCode[]

/** Accepts codes written by an older or newer version. */
export const isPassing = (reason: string): boolean => passing.includes(reason) || !Object.hasOwn(fileReasons, reason)

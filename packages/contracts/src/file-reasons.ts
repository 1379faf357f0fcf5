/** Permanent reasons why nothing more can be extracted from a file: a retry has the same result. */
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

/** These reasons and those why a file could not be stored or processed. */
export type FailureCode =
  | ReasonCode
  | 'too_much_text'
  | 'quota_exceeded'
  | 'id_conflict'
  | 'object_too_large'
  | 'object_missing'
  | 'embedding_refused'
  | 'invalid_options'
  | 'crashed_worker'
  | 'internal'

/** Explanation and remedy for users of each reason. */
export const fileReasons: Readonly<Record<FailureCode, { readonly message: string; readonly remedy: string }>> = {
  empty_file: {
    message: 'The file is empty.',
    remedy: 'Check the file on your side and upload it again.',
  },
  content_mismatch: {
    message: 'The content of the file is not what its name says.',
    remedy:
      'Give the file the extension of its real type, or save it anew in the type its name says, and upload it again.',
  },
  damaged: {
    message: 'The file is damaged or incomplete.',
    remedy: 'Open it in the program it comes from, save it anew, and upload it again.',
  },
  encrypted: {
    message: 'The file is protected by a password.',
    remedy: 'Remove the password and upload the file again.',
  },
  no_text: {
    message: 'The file holds no text.',
    remedy:
      'If it shows scanned pages, try again with text recognition switched on and the right language. Otherwise upload a file that holds text.',
  },
  expands_too_large: {
    message: 'The file is packed and would unpack to far more than its size allows.',
    remedy: 'Save it anew in the program it comes from, or split it into smaller files, and upload it again.',
  },
  too_large_to_process: {
    message: 'The file is too large to be read with the memory there is.',
    remedy: 'Split it into smaller files and upload these.',
  },
  too_slow_to_process: {
    message: 'Reading the file took too long.',
    remedy: 'Split it into smaller files, or save it anew in a simpler form, and upload it again.',
  },
  value_too_large: {
    message: 'A single value in the file is too large or nested too deep.',
    remedy: 'Split the value, or leave it out if it is not text that should be found, and upload the file again.',
  },
  too_much_text: {
    message: 'The file would become far more text than its size allows.',
    remedy: 'Shorten the names of the columns, or split the file into smaller ones, and upload it again.',
  },
  unknown_encoding: {
    message: 'The encoding of the text could not be detected.',
    remedy: 'Save the file as UTF-8 and upload it again, or try again and name its encoding.',
  },
  parser_crashed: {
    message: 'The file could not be read: it ended the program that reads files of its type.',
    remedy: 'Open it in the program it comes from, save it anew, and upload it again.',
  },
  quota_exceeded: {
    message: 'The file, or its text, does not fit into what is left of your quota.',
    remedy:
      'Delete what you no longer need, or ask for a larger quota. Then retry the file, or upload it again if its bytes were removed.',
  },
  id_conflict: {
    message: 'A part of the file would have the id of a document that is already there.',
    remedy: 'Rename the file, or delete the document with that id, and try again.',
  },
  object_too_large: {
    message: 'The file is larger than a file may be.',
    remedy: 'Split it into smaller files and upload these.',
  },
  embedding_refused: {
    message: 'The model of the namespace took nothing of the file.',
    remedy: 'Look at the model that is configured, or upload the file to a namespace of another model.',
  },
  invalid_options: {
    message: 'The file can not be read with the options that were asked for.',
    remedy: 'Try again with a language that is installed and an encoding that exists, or without them.',
  },
  object_missing: {
    message: 'The file is no longer in the object store.',
    remedy: 'Upload the file again.',
  },
  crashed_worker: {
    message: 'Work on the file was broken off several times.',
    remedy: 'Try again. If it fails again, tell the operator of the service.',
  },
  internal: {
    message: 'The file could not be processed because of a fault on our side.',
    remedy: 'Try again later. If it fails again, tell the operator of the service.',
  },
}

/** Also accepts a code that an older or newer version has written. */
export const remedyOf = (reason: string): string =>
  (Object.hasOwn(fileReasons, reason) ? fileReasons[reason as FailureCode] : fileReasons.internal).remedy

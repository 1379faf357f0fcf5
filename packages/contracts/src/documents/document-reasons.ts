type DocumentReason = {
  readonly message: string
  readonly remedy: string
  /** `possible`: the stored text may succeed. `permanent`: it fails again. `notStored`: it must be uploaded again. */
  readonly retry: 'possible' | 'permanent' | 'notStored'
}

/** For users. */
export const documentReasons: Readonly<Record<string, DocumentReason>> = {
  embedding_refused: {
    message: 'The embedding model refused the text.',
    remedy: 'Change the text and upload the document again.',
    retry: 'permanent',
  },
  quota_exceeded: {
    message: "The tier's limit was reached while the request was under way.",
    remedy: 'Delete something or upgrade, then upload the document again.',
    retry: 'notStored',
  },
  id_conflict: {
    message: 'The id belongs to a chunk of a file of the namespace.',
    remedy: 'Upload the document under another id, or delete the file.',
    retry: 'notStored',
  },
  crashed_worker: {
    message: 'Processing ended several times without an error message.',
    remedy: 'Retry the document, and report it to the operator if it happens again.',
    retry: 'possible',
  },
  internal: {
    message: 'Internal error while processing; see the server log under this upload id.',
    remedy: 'Retry the document later. If it fails again, contact the operator of the service.',
    retry: 'possible',
  },
}

/** The document's error names the rule. */
export const rejectedRemedy = 'Correct the document and upload it again.'

/** Accepts codes written by an older or newer version. */
export const documentReasonOf = (reason: string): DocumentReason =>
  (Object.hasOwn(documentReasons, reason) ? documentReasons[reason] : documentReasons['internal']) as DocumentReason

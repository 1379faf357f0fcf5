import { extractionOf, type FileRecord } from './record.ts'

/**
 * Version of the text that the extractors yield, kept with each published version of a file. Raise it by one if
 * the text of any type of file changes: files that an earlier version has extracted can then be extracted again.
 */
export const extractionVersion = 2

/** Whether the published version of the file was extracted by an earlier extraction version. */
export const isOutdated = (file: Pick<FileRecord, 'live'>): boolean =>
  (extractionOf(file) ?? extractionVersion) < extractionVersion

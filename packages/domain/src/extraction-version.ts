import { extractionOf, type FileRecord } from './metadata/records.ts'

/**
 * Version of the text that the extractors yield, kept with each published version of a file. Raise it by one, once in a
 * release, if the text of any type of file changes: files that an earlier version has read can then be extracted again.
 */
export const extractionVersion = 1

/** Whether an earlier version of the extraction has read what is published of the file. */
export const isOutdated = (file: Pick<FileRecord, 'live'>): boolean =>
  (extractionOf(file) ?? extractionVersion) < extractionVersion

import { extractionOf, type FileRecord } from './record.ts'

/**
 * Version of the text that the extractors yield. Raise it by one if the text of any file type changes: files of an
 * earlier version can then be extracted again.
 */
export const extractionVersion = 2

export const isOutdated = (file: Pick<FileRecord, 'live'>): boolean =>
  (extractionOf(file) ?? extractionVersion) < extractionVersion

import { extractionOf, type FileRecord } from './record.ts'

/**
 * Version of what the extractors yield. Raise it by one if the text or the places of any file type change: files of an
 * earlier version can then be extracted again.
 */
export const extractionVersion = 3

export const isOutdated = (file: Pick<FileRecord, 'live'>): boolean =>
  (extractionOf(file) ?? extractionVersion) < extractionVersion

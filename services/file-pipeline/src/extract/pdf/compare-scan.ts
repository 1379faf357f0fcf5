import type { Part } from './layout.ts'
import type { Content } from './read-content.ts'
import type { Scan } from './scans.ts'
import { gridOf } from './table.ts'

/** Characters of a page's text layer up to which it may be a stamp on a scan. */
const stampLength = 120
/** Share of a page that the picture of a scan covers at least, beside which there may be a stamp or a head. */
const scanShare = 0.15
/** Confidence, 0 to 100, below which what OCR has read is no text. */
const minConfidence = 60
/** Confidence, 0 to 100, below which what OCR has read can't tell that other text is wrong. */
const certainConfidence = 75
/** Share of words from which two texts are the same text, apart from errors of OCR. */
const minSameWords = 0.5
export const textOf = (part: Part): string =>
  'table' in part ? gridOf(part.table).flat().join(' ') : part.paragraph.text
const wordsOf = (parts: readonly Part[]): string[] =>
  parts
    .map(textOf)
    .join(' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns the share of words that are among others. */
const shareAmong = (words: readonly string[], others: readonly string[]): number => {
  const known = new Set(others)
  return words.filter((word) => known.has(word)).length / Math.max(1, words.length)
}

/** Whether a page has so little text that it may be a stamp on a scan. */
export const mayBeStamp = ({ parts, pictureShare }: Content): boolean =>
  pictureShare >= scanShare && parts.map(textOf).join('').length <= stampLength

/** Whether the text that another program's OCR has left over a scan is what Cairn's OCR sees, as far as that is certain. */
export const isGoodLayer = ({ parts }: Content, scan: Scan | undefined): boolean =>
  !scan || scan.confidence < certainConfidence || shareAmong(wordsOf(scan.parts), wordsOf(parts)) >= minSameWords

/** Returns the parts of a page whose text layer and picture are read: a slide's picture shows nothing more. */
export const withScan = (content: Content, scan: Scan | undefined): { parts: readonly Part[]; isScan: boolean } => {
  const own = content.isUsable ? content.parts : []
  if (!content.isUsable && (!scan || scan.confidence < minConfidence || scan.words === 0))
    return { parts: content.parts, isScan: false }
  if (!scan || scan.confidence < minConfidence || scan.words <= 2 * wordsOf(own).length)
    return { parts: own, isScan: false }
  const seen = wordsOf(scan.parts)
  return {
    parts: [...own.filter((part) => shareAmong(wordsOf([part]), seen) < minSameWords), ...scan.parts],
    isScan: scan.parts.length > 0,
  }
}

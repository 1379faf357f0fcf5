import type { Part } from '../lines/layout.ts'
import type { Scan } from '../ocr/scans.ts'
import { gridOf } from '../tables/table.ts'
import type { Content } from './read-content.ts'

/** Maximum length of a text layer, in characters, that may be a stamp on a scan. */
const stampLength = 120
/** Minimum share of a page that the picture of a scan covers. The rest may hold a stamp or a header. */
const scanShare = 0.15
/** Confidence, 0 to 100, below which OCR output is not used as text. */
const minConfidence = 60
/** Confidence, 0 to 100, from which OCR output can show that a text layer is wrong. */
const certainConfidence = 75
/** Minimum share of common words in two readings of the same text; the rest are OCR errors. */
const minSameWords = 0.5
export const textOf = (part: Part): string =>
  'table' in part ? gridOf(part.table).flat().join(' ') : part.paragraph.text
const wordsOf = (parts: readonly Part[]): string[] =>
  parts
    .map(textOf)
    .join(' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns the share of `words` that `others` contains. */
const shareAmong = (words: readonly string[], others: readonly string[]): number => {
  const known = new Set(others)
  return words.filter((word) => known.has(word)).length / Math.max(1, words.length)
}

/** Whether a page has a picture and so little text that the text may be a stamp on a scan. */
export const mayBeStamp = ({ parts, pictureShare }: Content): boolean =>
  pictureShare >= scanShare && parts.map(textOf).join('').length <= stampLength

/** Whether another program's OCR layer over a scan matches Cairn's OCR; true if Cairn's OCR is not certain. */
export const isGoodLayer = ({ parts }: Content, scan: Scan | undefined): boolean =>
  !scan || scan.confidence < certainConfidence || shareAmong(wordsOf(scan.parts), wordsOf(parts)) >= minSameWords

/**
 * Combines the text layer of a page with the OCR output. The OCR output is ignored unless it has more than twice the
 * words of the text layer, because a slide's picture shows nothing more.
 */
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

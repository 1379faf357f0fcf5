import type { Part } from '../lines/layout.ts'
import type { Scan } from '../ocr/scans.ts'
import { gridOf } from '../tables/table.ts'
import type { Content } from './read-content.ts'

/** Characters of a text layer that may be a stamp on a scan. */
const stampLength = 120
/** The rest of a scanned page may hold a stamp or a header. */
const scanShare = 0.15
/** 0 to 100; less is not used as text. */
const minConfidence = 60
/** 0 to 100; from here on, OCR can show that a text layer is wrong. */
const certainConfidence = 75
/** Common words in two readings of one text; the rest are OCR errors. */
const minSameWords = 0.5
export const textOf = (part: Part): string =>
  'table' in part ? gridOf(part.table).flat().join(' ') : part.paragraph.text
const wordsOf = (parts: readonly Part[]): string[] =>
  parts
    .map(textOf)
    .join(' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const shareAmong = (words: readonly string[], others: readonly string[]): number => {
  const known = new Set(others)
  return words.filter((word) => known.has(word)).length / Math.max(1, words.length)
}

export const mayBeStamp = ({ parts, pictureShare }: Content): boolean =>
  pictureShare >= scanShare && parts.map(textOf).join('').length <= stampLength

/** Whether another program's OCR layer matches Cairn's OCR; true if Cairn's OCR is not certain. */
export const isGoodLayer = ({ parts }: Content, scan: Scan | undefined): boolean =>
  !scan || scan.confidence < certainConfidence || shareAmong(wordsOf(scan.parts), wordsOf(parts)) >= minSameWords

/** Ignores OCR output with at most twice the words of the text layer: a slide's picture shows nothing more. */
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

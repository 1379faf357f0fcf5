import type { ExtractEvent } from '../../block.ts'
import type { Survey } from '../headings.ts'
import { collectGarbage, type Scan, type Scans } from '../ocr/scans.ts'
import { isGoodLayer, mayBeStamp } from './compare-scan.ts'
import { openPdf, type PdfDocument } from './pdfium.ts'
import { type Content, readContents } from './read-content.ts'
import { createRepeatFinder } from './repeated.ts'
import type { PdfSource } from './source.ts'

/** pdfium's memory never shrinks, so above this the file is reopened. */
const bytesPerDocument = 64 * 1024 * 1024
/** A turn reads the text of its pages, renders those that need OCR, then reads them by OCR one by one. */
const pagesPerTurn = 10

/**
 * First page of a run that begins with `page`. Running lines are detected per turn, so every run must have the same
 * turns; repeated pages are found by the turn before.
 */
export const firstToRead = (page: number): number => Math.max(1, page - ((page - 1) % pagesPerTurn) - pagesPerTurn)

type TurnsOptions = {
  readonly source: PdfSource
  readonly surveyed: Survey
  /** Undefined without OCR. */
  readonly images: Scans | undefined
  /** Earlier pages are read only for what they say about later ones, without OCR. */
  readonly firstPage: number
}

/** Reads pages in turns, and decides which ones OCR reads. */
export class PageTurns {
  readonly #options: TurnsOptions
  readonly #pages: number
  readonly #repeats = createRepeatFinder()
  #document: PdfDocument | undefined
  #contents = new Map<number, Content | Error>()
  /** Whether another program's OCR layer is good; decided on the first page that has one. */
  #hasGoodLayer: boolean | undefined

  /** Takes the document over: no other variable may keep it, because pdfium's memory is freed with it. */
  constructor(document: PdfDocument, options: TurnsOptions) {
    this.#document = document
    this.#pages = document.pages
    this.#options = options
  }

  /** Call with rising pages. Yields `heartbeat`. */
  async *contentOf(page: number, heartbeat: ExtractEvent): AsyncGenerator<ExtractEvent, Content | Error | undefined> {
    if (!this.#contents.has(page)) yield* this.#readTurn(page, heartbeat)
    return this.#contents.get(page)
  }

  /** Call once for each page. */
  isRepeated(content: Content | Error | undefined): boolean {
    return this.#repeats.isRepeated(content)
  }

  needsOcr(content: Content): boolean {
    if (content.isEmpty) return false
    return !content.isUsable || mayBeStamp(content) || (content.isOcrLayer && this.#hasGoodLayer !== true)
  }

  /** Call after OCR has read the page. */
  isUsable(content: Content, scan: Scan | undefined): boolean {
    if (content.isUsable && content.isOcrLayer) this.#hasGoodLayer ??= isGoodLayer(content, scan)
    return content.isUsable && !(content.isOcrLayer && this.#hasGoodLayer === false)
  }

  close(): void {
    this.#document?.close()
    this.#document = undefined
  }

  async *#readTurn(page: number, heartbeat: ExtractEvent): AsyncGenerator<ExtractEvent> {
    const { source, surveyed, images } = this.#options
    this.#document ??= await openPdf(source)
    this.#contents = readContents(this.#document, page, Math.min(page + pagesPerTurn, this.#pages + 1), surveyed)
    this.#repeats.beginTurn()
    const scanned = images ? this.#pagesToScan() : []
    if (scanned.length > 0 || this.#document.memory() > bytesPerDocument) {
      this.close()
      await collectGarbage()
    }
    if (images && scanned.length > 0) yield* images.render(scanned, heartbeat)
  }

  #pagesToScan(): number[] {
    let layers = 0
    return [...this.#contents].flatMap(([number, one]) => {
      if (one instanceof Error || number < this.#options.firstPage || !this.needsOcr(one)) return []
      // Only the first page with an OCR layer: if that layer is good, the others need no OCR.
      const mayBeGood = one.isUsable && one.isOcrLayer && this.#hasGoodLayer === undefined
      return mayBeGood && layers++ > 0 ? [] : [number]
    })
  }
}

import type { ExtractEvent } from '../../block.ts'
import type { Survey } from '../headings.ts'
import { collectGarbage, type Scan, type Scans } from '../ocr/scans.ts'
import { isGoodLayer, mayBeStamp } from './compare-scan.ts'
import { openPdf, type PdfDocument } from './pdfium.ts'
import { type Content, readContents } from './read-content.ts'
import { createRepeatFinder } from './repeated.ts'
import type { PdfSource } from './source.ts'

/** Memory of pdfium above which the file is reopened, because pdfium's memory never shrinks. */
const bytesPerDocument = 64 * 1024 * 1024
/**
 * Pages per turn: the text of all is read first, then the pages that need OCR are rendered, then OCR reads them one by
 * one.
 */
const pagesPerTurn = 10

/**
 * First page of a run that begins with `page`. Running headers and footers are detected per turn, so every run must have
 * the same turns, and repeated pages are found by the turn before.
 */
export const firstToRead = (page: number): number => Math.max(1, page - ((page - 1) % pagesPerTurn) - pagesPerTurn)

type TurnsOptions = {
  readonly source: PdfSource
  readonly surveyed: Survey
  /** Pictures of pages; undefined without OCR. */
  readonly images: Scans | undefined
  /** Earlier pages are read only for what they say about later ones, without OCR. */
  readonly firstPage: number
}

/** Reads the content of a PDF's pages in turns, and decides which pages OCR reads. */
export class PageTurns {
  readonly #options: TurnsOptions
  readonly #pages: number
  readonly #repeats = createRepeatFinder()
  #document: PdfDocument | undefined
  #contents = new Map<number, Content | Error>()
  /**
   * Whether the OCR layer that another program left in the file is good; decided on the first page with such a layer.
   */
  #hasGoodLayer: boolean | undefined

  /** Takes the document over: no other variable may keep it, because pdfium's memory is freed with it. */
  constructor(document: PdfDocument, options: TurnsOptions) {
    this.#document = document
    this.#pages = document.pages
    this.#options = options
  }

  /** Reads a page, with its turn if it is the first one of it; yields `sign` as a heartbeat. Call with rising pages. */
  async *contentOf(page: number, sign: ExtractEvent): AsyncGenerator<ExtractEvent, Content | Error | undefined> {
    if (!this.#contents.has(page)) yield* this.#readTurn(page, sign)
    return this.#contents.get(page)
  }

  /** Whether the page repeats one shortly before. Call once for each page. */
  isRepeated(content: Content | Error | undefined): boolean {
    return this.#repeats.isRepeated(content)
  }

  needsOcr(content: Content): boolean {
    if (content.isEmpty) return false
    return !content.isUsable || mayBeStamp(content) || (content.isOcrLayer && this.#hasGoodLayer !== true)
  }

  /** Returns whether the text layer can be used, after OCR has read the page. */
  isUsable(content: Content, scan: Scan | undefined): boolean {
    if (content.isUsable && content.isOcrLayer) this.#hasGoodLayer ??= isGoodLayer(content, scan)
    return content.isUsable && !(content.isOcrLayer && this.#hasGoodLayer === false)
  }

  close(): void {
    this.#document?.close()
    this.#document = undefined
  }

  async *#readTurn(page: number, sign: ExtractEvent): AsyncGenerator<ExtractEvent> {
    const { source, surveyed, images } = this.#options
    this.#document ??= await openPdf(source)
    this.#contents = readContents(this.#document, page, Math.min(page + pagesPerTurn, this.#pages + 1), surveyed)
    this.#repeats.beginTurn()
    const scanned = images ? this.#pagesToScan() : []
    if (scanned.length > 0 || this.#document.memory() > bytesPerDocument) {
      this.close()
      await collectGarbage()
    }
    if (images && scanned.length > 0) yield* images.render(scanned, sign)
  }

  #pagesToScan(): number[] {
    let layers = 0
    return [...this.#contents].flatMap(([number, one]) => {
      if (one instanceof Error || number < this.#options.firstPage || !this.needsOcr(one)) return []
      // Render only the first page with an OCR layer: if that layer is good, the others need no OCR.
      const mayBeGood = one.isUsable && one.isOcrLayer && this.#hasGoodLayer === undefined
      return mayBeGood && layers++ > 0 ? [] : [number]
    })
  }
}

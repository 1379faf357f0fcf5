import { setTimeout as delay } from 'node:timers/promises'
import type { ExtractEvent, ExtractOptions, Extractor, Place } from '../block.ts'
import { type BlockWriter, blockWriter, type NewBlock } from '../shared/block-writer.ts'
import { unreadable } from '../unreadable.ts'
import { blocksOf, lastTable, notesOf } from './blocks.ts'
import { textOf, withScan } from './document/compare-scan.ts'
import { isDiskOrMemoryError } from './document/errors.ts'
import { readOutline } from './document/outline.ts'
import { openPdf } from './document/pdfium.ts'
import { readProperties } from './document/properties.ts'
import type { Content } from './document/read-content.ts'
import { openSource, type PdfSource } from './document/source.ts'
import { firstToRead, PageTurns } from './document/turns.ts'
import { survey } from './headings.ts'
import type { Part } from './lines/layout.ts'
import { createPageReader, type PageReader } from './ocr/ocr.ts'
import { type Scan, Scans } from './ocr/scans.ts'
import type { Table } from './tables/table.ts'

/** Missing or unreadable pages in a row: the page count is only the file's claim. */
const maxUnreadableInARow = 50
/**
 * Pages without text of their own in a row. Each page costs more the more pages there are; only malicious files have
 * this many empty or repeated ones.
 */
const maxEmptyInARow = 500
/** Leaves notes for other problems. */
const maxEmptyNotes = 60
const heartbeatEveryMs = 5_000

/** Yields `heartbeat` as long as `steps` grows. */
const awaited = async function* <T>(
  result: Promise<T>,
  steps: () => number,
  heartbeat: ExtractEvent,
): AsyncGenerator<ExtractEvent, T> {
  const settled = result.then(
    () => true,
    () => true,
  )
  for (let before = steps(); ; before = steps()) {
    const waiting = new AbortController()
    const ended = await Promise.race([settled, delay(heartbeatEveryMs, false, { signal: waiting.signal })])
    waiting.abort()
    if (ended) return await result
    if (steps() > before) yield heartbeat
  }
}

type Ocr = { readonly reader: PageReader; readonly images: Scans; readonly languages: readonly string[] }

const open = async (source: PdfSource, images: Scans | undefined, firstPage: number) => {
  const document = await openPdf(source)
  try {
    const { pages } = document
    if (pages < 1) throw unreadable('damaged', `The file says that it has ${pages} pages.`)
    const [properties, outline, surveyed] = [readProperties(document), readOutline(document), survey(document)]
    const turns = new PageTurns(document, { source, surveyed, images, firstPage })
    return { pages, properties, outline, fonts: surveyed.fonts, turns }
  } catch (error) {
    document.close()
    throw error
  }
}

type OpenedPdf = Awaited<ReturnType<typeof open>>

/** Text layer or OCR output, and texts of form fields. */
type Page = { readonly parts: readonly Part[]; readonly typed: readonly string[]; readonly isScan: boolean }

/** The fields are what earlier pages mean for later ones. */
class PdfReading {
  readonly #file: OpenedPdf
  readonly #writer: BlockWriter
  readonly #ocr: Ocr | undefined
  readonly #keepsHidden: boolean
  readonly #firstPage: number
  /** Blocks before the first page, which a resumed run does not read. */
  readonly #blocksBefore: number
  /** Table at the end of the page before, which the page may continue. */
  #above: Table | undefined
  #unreadable = 0
  #unreadableInARow = 0
  #emptyInARow = 0
  #emptyNotes = 0

  constructor(file: OpenedPdf, ocr: Ocr | undefined, options: ExtractOptions) {
    const { from } = options
    this.#file = file
    this.#ocr = ocr
    this.#keepsHidden = options.hiddenText === 'keep'
    this.#firstPage = from?.page ?? 1
    this.#blocksBefore = from?.page === undefined ? 0 : from.seq
    this.#writer = blockWriter(from?.page === undefined ? options : {})
  }

  async *events(): AsyncGenerator<ExtractEvent> {
    const { pages, properties, turns } = this.#file
    if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
    for (let page = firstToRead(this.#firstPage); page <= pages; page += 1) {
      const progress: ExtractEvent = { event: 'progress', page: Math.max(page, this.#firstPage), pages }
      const content = yield* turns.contentOf(page, progress)
      const isRepeated = turns.isRepeated(content)
      if (page < this.#firstPage) {
        this.#above = content instanceof Error || isRepeated ? undefined : lastTable(content?.parts)
        continue
      }
      yield* this.#page(page, { content, isRepeated, progress })
      yield progress
      if (this.#unreadableInARow >= maxUnreadableInARow) break
      if (this.#emptyInARow >= maxEmptyInARow && page < pages) {
        const message = `Pages from ${page + 1} on were not read: ${maxEmptyInARow} pages in a row have no text of their own.`
        yield* this.#writer.note('truncated', message, this.#placeOf(page))
        break
      }
    }
    if (this.#firstPage > 1) return
    try {
      this.#writer.end()
    } catch (error) {
      throw this.#unreadable > 0 ? unreadable('damaged', 'None of the pages could be read.') : error
    }
  }

  #placeOf(page: number): Place {
    const pageTitle = this.#file.outline.titleOf(page)
    return { page, ...(pageTitle !== undefined && { pageTitle }) }
  }

  async *#page(
    page: number,
    read: {
      readonly content: Content | Error | undefined
      readonly isRepeated: boolean
      readonly progress: ExtractEvent
    },
  ): AsyncGenerator<ExtractEvent> {
    try {
      const { content, isRepeated, progress } = read
      if (!content || content instanceof Error) throw content
      const own: Page = {
        parts: isRepeated ? [] : content.parts,
        typed: isRepeated ? [] : (content.typed ?? []),
        isScan: false,
      }
      const seen = this.#file.turns.needsOcr(content) ? yield* this.#scanned(page, content, own, progress) : own
      yield* this.#written(page, content, seen, isRepeated)
      this.#unreadableInARow = 0
    } catch (error) {
      if (isDiskOrMemoryError(error)) throw error
      this.#unreadable += 1
      this.#unreadableInARow += 1
      yield* this.#writer.note('page_unreadable', `Page ${page} could not be read.`, this.#placeOf(page))
    }
  }

  async *#scanned(
    page: number,
    content: Content,
    own: Page,
    progress: ExtractEvent,
  ): AsyncGenerator<ExtractEvent, Page> {
    if (!this.#ocr) return own
    const { reader, images, languages } = this.#ocr
    if (!images.has(page)) yield* images.render([page], progress)
    const scan: Scan | undefined = yield* awaited(images.read(page), reader.steps, progress)
    const isUsable = this.#file.turns.isUsable(content, scan)
    const { parts, isScan } = withScan({ ...content, isUsable }, scan)
    if (isScan && scan) yield { event: 'ocr', page, confidence: scan.confidence }
    else if (!isUsable && scan && scan.words > 0) {
      const message = `The picture of page ${page} could not be read: OCR in ${languages.join(', ')} has a confidence of ${Math.round(scan.confidence)} of 100. If the page is in another language, add it to CAIRN_OCR_LANGUAGES.`
      yield* this.#writer.note('ocr_unreadable', message, this.#placeOf(page))
    }
    // The rendered page also shows the form fields.
    const seen = parts.map(textOf).join('\n')
    return { parts, isScan, typed: own.typed.filter((text) => !seen.includes(text)) }
  }

  *#written(page: number, content: Content, { parts, typed, isScan }: Page, isRepeated: boolean) {
    const { outline, fonts } = this.#file
    const at = this.#placeOf(page)
    yield* notesOf(this.#writer, content, at, { keepsHidden: this.#keepsHidden, isScan })
    const running = content.running.join(' · ')
    const placed = running === '' ? at : { ...at, running }
    const { names, blocks } = blocksOf(parts, placed, {
      size: content.size,
      fonts: isScan ? undefined : fonts,
      outline,
      above: this.#above,
    })
    this.#above = lastTable(parts)
    this.#emptyInARow = parts.length > 0 || typed.length > 0 ? 0 : this.#emptyInARow + 1
    if (this.#emptyInARow > 0 && this.#emptyNotes++ < maxEmptyNotes)
      yield* isRepeated
        ? this.#writer.note(
            'page_repeated',
            `Page ${page} has the text of a page before it and was not read again.`,
            at,
          )
        : this.#writer.note('page_without_text', `Page ${page} has no text.`, at)
    for (const name of names) yield* this.#block(name, true)
    for (const block of blocks) yield* this.#block(block, false)
    const hidden = content.hidden.trim()
    const keptText = this.#keepsHidden && !isRepeated && hidden !== '' ? [`[Hidden text] ${hidden}`] : []
    for (const text of [...typed, ...keptText]) yield* this.#block({ kind: 'text', text, at: placed }, false)
  }

  #block(block: NewBlock, isName: boolean): ExtractEvent[] {
    const before = this.#blocksBefore
    return this.#writer
      .block(block, isName)
      .map((one) =>
        one.event === 'block' ? { event: 'block', block: { ...one.block, seq: one.block.seq + before } } : one,
      )
  }
}

/** A run that resumes at `from.page` numbers its first block `from.seq`. */
export const extractPdf: Extractor = async function* (path, options) {
  const languages = options.languages ?? ['eng']
  const reader = options.ocr === false ? undefined : createPageReader(languages)
  const source = openSource(path)
  if (source.size === 0) {
    source.close()
    throw unreadable('empty_file', 'The file is empty.')
  }
  const ocr: Ocr | undefined = reader && { reader, images: new Scans(source, reader), languages }
  let turns: PageTurns | undefined
  try {
    const file = await open(source, ocr?.images, options.from?.page ?? 1)
    turns = file.turns
    yield* new PdfReading(file, ocr, options).events()
  } finally {
    await ocr?.images.close()
    turns?.close()
    source.close()
  }
}

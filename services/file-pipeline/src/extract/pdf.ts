import { setTimeout as delay } from 'node:timers/promises'
import type { PDFDocumentProxy } from 'unpdf/pdfjs'
import type { ExtractEvent, Extractor, Place } from './block.ts'
import { blockWriter } from './block-writer.ts'
import { grayPng } from './gray-png.ts'
import { createPageReader, type PageReader } from './ocr.ts'
import { openDocument, readProperties } from './pdf-document.ts'
import { readOutline } from './pdf-outline.ts'
import { isUsable, paragraphsOf, type TextRun } from './pdf-paragraphs.ts'
import { openRenderer, type PdfRenderer } from './pdf-render.ts'
import { openSource, type PdfSource } from './pdf-source.ts'
import { unreadable } from './unreadable.ts'

/** A page count is what the file claims. Where this many pages follow one another that don't exist or can't be read, there are no more. */
const maxUnreadableInARow = 50
/** Each costs the more the more pages there are. No book has so many leaves without a word; a file made to keep us busy does. */
const maxEmptyInARow = 500
/** Some are left for what else there is to say. */
const maxEmptyNotes = 90
/** pdf.js keeps every object it has parsed until it is closed: it is, and opened anew, so that thousands of pages weigh no more than these. */
const pagesAtOnce = 500
const signEveryMs = 5_000

/** Undefined when there is no text, or none that means something. */
const textLayer = async (document: PDFDocumentProxy, number: number): Promise<readonly string[] | undefined> => {
  const page = await document.getPage(number)
  try {
    const { items } = await page.getTextContent()
    const runs = items.filter((item): item is Extract<typeof item, TextRun> => 'str' in item)
    const paragraphs = paragraphsOf(runs)
    return isUsable(paragraphs, runs) ? paragraphs : undefined
  } finally {
    page.cleanup()
  }
}

type Scan = { readonly paragraphs: readonly string[]; readonly confidence: number }

const scans = (source: PdfSource, reader: PageReader) => {
  let renderer: Promise<PdfRenderer> | undefined
  /** Of its own, so that nothing holds the pixels while the page is read. */
  const render = async (page: number): Promise<Buffer | undefined> => {
    renderer ??= openRenderer(source)
    const image = await (await renderer).render(page)
    return image && grayPng(image, image.dpi)
  }
  return {
    /** Undefined when nothing is drawn on the page. */
    async read(page: number): Promise<Scan | undefined> {
      const png = await render(page)
      if (!png) return undefined
      // Pixels are not in V8's heap: it sees no reason to collect them. The child is started so that it may ask.
      globalThis.gc?.()
      const { text, confidence } = await reader.read(png)
      const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.split('\n').join(' ').trim())
      return { paragraphs: paragraphs.filter((paragraph) => paragraph !== ''), confidence }
    },
    async close() {
      const opened = await renderer?.catch(() => undefined)
      opened?.close()
      await reader.close()
    },
  }
}

/** Tells that it lives while `result` is awaited, as long as `steps` shows that something goes on. */
const awaited = async function* <T>(result: Promise<T>, steps: () => number, sign: ExtractEvent): AsyncGenerator<ExtractEvent, T> {
  const settled = result.then(
    () => true,
    () => true,
  )
  for (let seen = steps(); ; seen = steps()) {
    const waiting = new AbortController()
    const ended = await Promise.race([settled, delay(signEveryMs, false, { signal: waiting.signal })])
    waiting.abort()
    if (ended) return await result
    if (steps() > seen) yield sign
  }
}

/**
 * Text page by page: the text layer where there is one, else what OCR reads. Headings are the outline's. A run that goes on from a page
 * begins with it, and numbers its first block as it is told.
 */
export const extractPdf: Extractor = async function* (path, options) {
  const reader = options.ocr === false ? undefined : createPageReader(options.languages ?? ['eng'])
  const source = openSource(path)
  if (source.size === 0) {
    source.close()
    throw unreadable('empty_file', 'The file is empty.')
  }
  const images = reader && scans(source, reader)
  let opened: Awaited<ReturnType<typeof openDocument>> | undefined
  try {
    opened = await openDocument(source)
    let { document } = opened
    const pages = document.numPages
    if (pages < 1) throw unreadable('damaged', `The file says that it has ${pages} pages.`)
    const firstPage = options.from?.page ?? 1
    // Where it begins with a page, earlier blocks are not even numbered.
    const before = options.from?.page === undefined ? 0 : options.from.seq
    const writer = blockWriter(options.from?.page === undefined ? options : {})
    const block = (kind: 'heading' | 'text', text: string, at: Place, level?: number): ExtractEvent[] =>
      writer
        .block(level === undefined ? { kind, text, at } : { kind, text, at, level }, kind === 'heading')
        .map((event) => (event.event === 'block' ? { event: 'block', block: { ...event.block, seq: event.block.seq + before } } : event))

    const properties = await readProperties(document)
    if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
    const outline = await readOutline(document)

    let unreadablePages = 0
    let inARow = 0
    let empty = 0
    let emptyNotes = 0
    for (let page = firstPage; page <= pages; page += 1) {
      const pageTitle = outline.titleOf(page)
      const at: Place = pageTitle === undefined ? { page } : { page, pageTitle }
      const progress: ExtractEvent = { event: 'progress', page, pages }
      if (page > firstPage && (page - firstPage) % pagesAtOnce === 0) {
        await opened.close()
        globalThis.gc?.()
        opened = await openDocument(source)
        document = opened.document
      }
      for (const entry of outline.on(page)) yield* block('heading', entry.title, at, entry.level)
      try {
        let paragraphs = await textLayer(document, page)
        if (!paragraphs && images && reader) {
          const scan = yield* awaited(images.read(page), reader.steps, progress)
          if (scan) yield { event: 'ocr', page, confidence: scan.confidence }
          paragraphs = scan?.paragraphs
        }
        empty = paragraphs?.length ? 0 : empty + 1
        if (empty > 0 && emptyNotes++ < maxEmptyNotes) yield* writer.note('page_without_text', `Page ${page} has no text.`, at)
        for (const paragraph of paragraphs ?? []) yield* block('text', paragraph, at)
        inARow = 0
      } catch (error) {
        if (isOurs(error)) throw error
        unreadablePages += 1
        inARow += 1
        yield* writer.note('page_unreadable', `Page ${page} could not be read.`, at)
      }
      yield progress
      if (inARow >= maxUnreadableInARow) break
      if (empty >= maxEmptyInARow && page < pages) {
        const message = `Pages from ${page + 1} on were not read: ${maxEmptyInARow} pages in a row have no text.`
        yield* writer.note('truncated', message, at)
        break
      }
    }
    if (firstPage > 1) return
    try {
      writer.end()
    } catch (error) {
      throw unreadablePages > 0 ? unreadable('damaged', 'None of the pages could be read.') : error
    }
  } finally {
    await images?.close()
    await opened?.close()
    source.close()
  }
}

/** Of the disk or of memory: the next page would fail as well, and another time it may not. */
const isOurs = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || /allocation failed|out of memory/i.test(error.message))

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import type { PDFDocumentProxy } from 'unpdf/pdfjs'
import type { ExtractEvent, Extractor, Place } from './block.ts'
import { blockWriter } from './block-writer.ts'
import { grayPng } from './gray-png.ts'
import { createPageReader, type PageReader } from './ocr.ts'
import { type OpenDocument, openDocument, readProperties } from './pdf-document.ts'
import { readOutline } from './pdf-outline.ts'
import { isUsable, paragraphsOf, type TextRun } from './pdf-paragraphs.ts'
import { openRenderer } from './pdf-render.ts'
import { openSource, type PdfSource } from './pdf-source.ts'
import { typedTexts } from './pdf-typed.ts'
import { unreadable } from './unreadable.ts'

/** The page count is only the file's claim. After this many missing or unreadable pages in a row, reading stops. */
const maxUnreadableInARow = 50
/**
 * The cost of each page grows with the page count. Books do not have this many pages without text in a row; malicious
 * files do.
 */
const maxEmptyInARow = 500
/** Leaves notes for other problems of the file. */
const maxEmptyNotes = 90
/**
 * pdf.js keeps every byte and every parsed object until the document is closed. Reopening the document after this many
 * pages or bytes limits the memory.
 */
const pagesPerDocument = 500
const bytesPerDocument = 16 * 1024 * 1024
/** Pages whose text is read before those without are rendered, and these before OCR reads them. */
const pagesPerTurn = 10
const signEveryMs = 5_000

type PageText = {
  /** Paragraphs of the text layer; undefined if it has no usable text. */
  readonly paragraphs: readonly string[] | undefined
  /** Values of form fields and texts of annotations; undefined if they can't be read. */
  readonly typed: readonly string[] | undefined
}

/** Reads what pdf.js has of a page. */
const readText = async (document: PDFDocumentProxy, number: number): Promise<PageText> => {
  const page = await document.getPage(number)
  try {
    const { items } = await page.getTextContent()
    const runs = items.filter((item): item is Extract<typeof item, TextRun> => 'str' in item)
    const paragraphs = paragraphsOf(runs)
    const typed = await orError(typedTexts(page))
    return {
      paragraphs: isUsable(paragraphs, runs) ? paragraphs : undefined,
      typed: typed instanceof Error ? undefined : typed,
    }
  } finally {
    page.cleanup()
  }
}

/** Returns an error of the file as a value; errors of disk or memory still reject. */
const orError = <T>(result: Promise<T>): Promise<T | Error> =>
  result.catch((error: Error) => {
    if (isOurs(error)) throw error
    return error
  })

const isFull = ({ bytesRead }: OpenDocument): boolean => bytesRead() > bytesPerDocument

/** Reads the pages of a turn from `first` on; an Error stands for a page that can't be read. */
const readTexts = async (opened: OpenDocument, first: number): Promise<Map<number, PageText | Error>> => {
  const { document } = opened
  const texts = new Map<number, PageText | Error>()
  const end = Math.min(first + pagesPerTurn, document.numPages + 1)
  for (let page = first; page < end && (page === first || !isFull(opened)); page += 1) {
    texts.set(page, await orError(readText(document, page)))
  }
  return texts
}

type Scan = { readonly paragraphs: readonly string[]; readonly confidence: number }

/**
 * Frees the memory of pictures and of pdfium: it is outside V8's heap, so V8 does not collect it by itself. The child runs
 * with `--expose-gc`. The second collection frees what pending tasks still held during the first.
 */
const collectGarbage = async (): Promise<void> => {
  globalThis.gc?.()
  await setImmediate()
  globalThis.gc?.()
}

/** Reads pictures of pages. pdfium and Tesseract take turns: each needs up to half of the memory of the process. */
const scans = (source: PdfSource, reader: PageReader) => {
  /** By page, its picture as a file; undefined if it is blank. */
  let rendered = new Map<number, string | undefined | Error>()
  let folder: string | undefined

  /** Opens pdfium for one page, because its memory never shrinks; a separate function, so that no variable keeps it. */
  const render = async (page: number): Promise<string | undefined> => {
    const renderer = await openRenderer(source)
    try {
      const image = await renderer.render(page)
      if (!image) return undefined
      folder ??= mkdtempSync(join(tmpdir(), 'cairn-pages-'))
      const path = join(folder, `${page}.png`)
      writeFileSync(path, grayPng(image, image.dpi))
      return path
    } finally {
      renderer.close()
    }
  }

  return {
    /** Renders pages that `read` is going to read; yields `sign` after each. */
    async *render(pages: readonly number[], sign: ExtractEvent): AsyncGenerator<ExtractEvent, void> {
      await reader.rest()
      rendered = new Map()
      for (const page of pages) {
        rendered.set(page, await orError(render(page)))
        await collectGarbage()
        yield sign
      }
    },
    /** Undefined if the page is blank. Throws if it could not be rendered. */
    async read(page: number): Promise<Scan | undefined> {
      const path = rendered.get(page)
      if (path instanceof Error) throw path
      if (path === undefined) return undefined
      const { text, confidence } = await reader.read(readFileSync(path))
      rmSync(path)
      const paragraphs = text.split(/\n\s*\n/).map((paragraph) => paragraph.split('\n').join(' ').trim())
      return { paragraphs: paragraphs.filter((paragraph) => paragraph !== ''), confidence }
    },
    async close() {
      await reader.close()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Yields `sign` as a heartbeat while `result` is pending, as long as `steps` grows. */
const awaited = async function* <T>(
  result: Promise<T>,
  steps: () => number,
  sign: ExtractEvent,
): AsyncGenerator<ExtractEvent, T> {
  const settled = result.then(
    () => true,
    () => true,
  )
  for (let before = steps(); ; before = steps()) {
    const waiting = new AbortController()
    const ended = await Promise.race([settled, delay(signEveryMs, false, { signal: waiting.signal })])
    waiting.abort()
    if (ended) return await result
    if (steps() > before) yield sign
  }
}

/**
 * Yields text page by page: from the text layer if it is usable, else from OCR. Headings come from the outline. A run
 * that resumes at `from.page` begins with that page and numbers its first block `from.seq`.
 */
export const extractPdf: Extractor = async function* (path, options) {
  const reader = options.ocr === false ? undefined : createPageReader(options.languages ?? ['eng'])
  const source = openSource(path)
  if (source.size === 0) {
    source.close()
    throw unreadable('empty_file', 'The file is empty.')
  }
  const images = reader && scans(source, reader)
  let opened: OpenDocument | undefined
  try {
    opened = await openDocument(source)
    const { document } = opened
    const pages = document.numPages
    if (pages < 1) throw unreadable('damaged', `The file says that it has ${pages} pages.`)
    const firstPage = options.from?.page ?? 1
    // When reading begins at a page, the writer does not count earlier blocks.
    const before = options.from?.page === undefined ? 0 : options.from.seq
    const writer = blockWriter(options.from?.page === undefined ? options : {})
    const block = (kind: 'heading' | 'text', text: string, at: Place, level?: number): ExtractEvent[] =>
      writer
        .block(level === undefined ? { kind, text, at } : { kind, text, at, level }, kind === 'heading')
        .map((event) =>
          event.event === 'block'
            ? { event: 'block', block: { ...event.block, seq: event.block.seq + before } }
            : event,
        )

    const properties = await readProperties(document)
    if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
    const outline = await readOutline(document)

    let openedAt = firstPage
    let texts = new Map<number, PageText | Error>()
    let unreadablePages = 0
    let inARow = 0
    let empty = 0
    let emptyNotes = 0
    for (let page = firstPage; page <= pages; page += 1) {
      const pageTitle = outline.titleOf(page)
      const at: Place = pageTitle === undefined ? { page } : { page, pageTitle }
      const progress: ExtractEvent = { event: 'progress', page, pages }
      if (!texts.has(page)) {
        if (!opened) {
          opened = await openDocument(source)
          openedAt = page
        }
        texts = await readTexts(opened, page)
        const scanned = images
          ? [...texts].flatMap(([number, text]) => (text instanceof Error || text.paragraphs ? [] : [number]))
          : []
        if (scanned.length > 0 || isFull(opened) || page - openedAt >= pagesPerDocument) {
          await opened.close()
          opened = undefined
          await collectGarbage()
        }
        if (images && scanned.length > 0) yield* images.render(scanned, progress)
      }
      for (const entry of outline.on(page)) yield* block('heading', entry.title, at, entry.level)
      try {
        const text = texts.get(page)
        if (!text || text instanceof Error) throw text
        let { paragraphs, typed } = text
        if (!paragraphs && images && reader) {
          const scan = yield* awaited(images.read(page), reader.steps, progress)
          if (scan && scan.paragraphs.length > 0) yield { event: 'ocr', page, confidence: scan.confidence }
          paragraphs = scan?.paragraphs
          // The picture of a page shows its fields, too.
          typed = typed?.filter((text) => !paragraphs?.some((paragraph) => paragraph.includes(text)))
        }
        if (!typed)
          yield* writer.note('page_unreadable', `Form fields and comments of page ${page} could not be read.`, at)
        paragraphs = [...(paragraphs ?? []), ...(typed ?? [])]
        empty = paragraphs.length > 0 ? 0 : empty + 1
        if (empty > 0 && emptyNotes++ < maxEmptyNotes)
          yield* writer.note('page_without_text', `Page ${page} has no text.`, at)
        for (const paragraph of paragraphs) yield* block('text', paragraph, at)
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

/** Whether disk or memory caused the error: the next page would fail too, but a retry may succeed. */
const isOurs = (error: unknown): boolean =>
  error instanceof Error && ('syscall' in error || /allocation failed|out of memory/i.test(error.message))

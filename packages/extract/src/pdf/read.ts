import { setTimeout as delay } from 'node:timers/promises'
import type { ExtractEvent, Extractor, Place } from '../block.ts'
import { type BlockWriter, blockWriter, maxBlockUnits, type NewBlock } from '../shared/block-writer.ts'
import { unreadable } from '../unreadable.ts'
import { isGoodLayer, mayBeStamp, textOf, withScan } from './document/compare-scan.ts'
import { isOurs } from './document/errors.ts'
import { type Outline, readOutline } from './document/outline.ts'
import { openPdf, type PdfDocument } from './document/pdfium.ts'
import { readProperties } from './document/properties.ts'
import { type Content, readContents } from './document/read-content.ts'
import { createRepeatFinder } from './document/repeated.ts'
import { openSource } from './document/source.ts'
import { type Fonts, isTitle, levelsOf, type Survey, survey } from './headings.ts'
import type { Part } from './lines/layout.ts'
import { createPageReader } from './ocr/ocr.ts'
import { collectGarbage, createScans } from './ocr/scans.ts'
import { type PageSize, placesOfCells, placesOfLines } from './places.ts'
import { continued, markdownOf, type Table } from './tables/table.ts'

/**
 * Number of missing or unreadable pages in a row after which reading stops, because the page count is only the file's
 * claim.
 */
const maxUnreadableInARow = 50
/**
 * Number of pages without text of their own in a row after which reading stops. The cost of each page grows with the
 * page count; only malicious files have this many empty or repeated pages in a row.
 */
const maxEmptyInARow = 500
/** Maximum number of notes on empty and repeated pages, which leaves notes for other problems. */
const maxEmptyNotes = 60
/** Memory of pdfium above which the file is reopened, because pdfium's memory never shrinks. */
const bytesPerDocument = 64 * 1024 * 1024
/**
 * Pages per batch: the text of all is read first, then the pages that need OCR are rendered, then OCR reads them one by
 * one.
 */
const pagesPerTurn = 10
const signEveryMs = 5_000

/** Share and number of unmapped characters from which a page gets a note. */
const notedUnmapped = { share: 0.02, count: 10 }

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

/** Blocks of a page; `names` are outline entries that begin on the page but whose title is not in its text. */
type Parts = { readonly names: readonly NewBlock[]; readonly blocks: readonly NewBlock[] }

/** Converts the parts of a page to blocks. */
const blocksOf = (
  parts: readonly Part[],
  at: Place,
  {
    size,
    fonts,
    outline,
    above,
  }: { size: PageSize; fonts: Fonts | undefined; outline: Outline; above: Table | undefined },
): Parts => {
  const page = at.page as number
  const entries = [...outline.on(page)]
  const levels = fonts ? levelsOf(parts, fonts) : []
  const blocks = parts.flatMap((part, index): NewBlock[] => {
    const { angle = 0 } = part
    if ('table' in part) {
      const table = index === 0 && above ? continued(above, part.table) : part.table
      return markdownOf(table, maxBlockUnits).map(({ text, cells }) => ({
        kind: 'table',
        text,
        at,
        places: placesOfCells(cells, angle, size),
      }))
    }
    const { text, lines } = part.paragraph
    const places = placesOfLines(lines, angle, size)
    const entry = entries.findIndex(({ title }) => isTitle(text, title))
    const level = entry >= 0 ? entries.splice(entry, 1)[0]?.level : levels[index]
    if (level === undefined) return [{ kind: 'text', text, at, places }]
    return [{ kind: 'heading', text: text.replaceAll('\n', ' '), at, level, places }]
  })
  return { names: entries.map(({ title, level }) => ({ kind: 'heading', text: title, at, level })), blocks }
}

/** Returns notes on content of a page that was not read or may be wrong. */
const notesOf = (
  writer: BlockWriter,
  content: Content,
  at: Place,
  { keepsHidden, isScan }: { keepsHidden: boolean; isScan: boolean },
): ExtractEvent[] => {
  const { page } = at
  const events: ExtractEvent[] = []
  if (!content.typed)
    events.push(...writer.note('page_unreadable', `Form fields and comments of page ${page} could not be read.`, at))
  if (content.hidden.trim() !== '') {
    const did = keepsHidden ? 'was kept' : 'was left out'
    events.push(
      ...writer.note(
        'text_hidden',
        `${content.hidden.length} characters of page ${page} are hidden: the text ${did}.`,
        at,
      ),
    )
  }
  if (content.isCut)
    events.push(
      ...writer.note(
        'truncated',
        `Page ${page} has more than 200,000 characters, 20,000 drawn objects or 20,000 annotations; the others are left out.`,
        at,
      ),
    )
  const { glyphs, unmapped } = content
  if (unmapped >= notedUnmapped.count && unmapped >= glyphs * notedUnmapped.share && !isScan)
    events.push(
      ...writer.note(
        'text_unmapped',
        `${unmapped} characters of page ${page} have no mapping to Unicode and may be wrong or missing.`,
        at,
      ),
    )
  return events
}

/**
 * Yields text page by page: from the text layer if it is usable, else from OCR. A run that resumes at `from.page` begins
 * with that page and numbers its first block `from.seq`.
 */
export const extractPdf: Extractor = async function* (path, options) {
  const languages = options.languages ?? ['eng']
  const reader = options.ocr === false ? undefined : createPageReader(languages)
  const source = openSource(path)
  if (source.size === 0) {
    source.close()
    throw unreadable('empty_file', 'The file is empty.')
  }
  const images = reader && createScans(source, reader)
  const keepsHidden = options.hiddenText === 'keep'
  let opened: PdfDocument | undefined
  try {
    opened = await openPdf(source)
    const { pages } = opened
    if (pages < 1) throw unreadable('damaged', `The file says that it has ${pages} pages.`)
    const firstPage = options.from?.page ?? 1
    // A run that resumes at a page does not read earlier blocks, so their count is added.
    const before = options.from?.page === undefined ? 0 : options.from.seq
    const writer = blockWriter(options.from?.page === undefined ? options : {})
    const write = (block: NewBlock, isName: boolean): ExtractEvent[] =>
      writer
        .block(block, isName)
        .map((event) =>
          event.event === 'block'
            ? { event: 'block', block: { ...event.block, seq: event.block.seq + before } }
            : event,
        )

    const properties = readProperties(opened)
    if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
    const outline = readOutline(opened)
    const surveyed: Survey = survey(opened)

    let contents = new Map<number, Content | Error>()
    /**
     * Whether the OCR layer that another program left in the file is good; decided on the first page with such a layer.
     */
    let hasGoodLayer: boolean | undefined
    const needsOcr = (content: Content): boolean =>
      !content.isEmpty && (!content.isUsable || mayBeStamp(content) || (content.isOcrLayer && hasGoodLayer !== true))
    let above: Table | undefined
    let unreadablePages = 0
    let inARow = 0
    let empty = 0
    let emptyNotes = 0
    const repeats = createRepeatFinder()
    // Running headers and footers are detected per batch, so every run must use the same batches. Repeated pages are
    // found by the batch before.
    const firstOfTurn = firstPage - ((firstPage - 1) % pagesPerTurn)
    for (let page = Math.max(1, firstOfTurn - pagesPerTurn); page <= pages; page += 1) {
      const progress: ExtractEvent = { event: 'progress', page: Math.max(page, firstPage), pages }
      if (!contents.has(page)) {
        opened ??= await openPdf(source)
        contents = readContents(opened, page, Math.min(page + pagesPerTurn, pages + 1), surveyed)
        repeats.beginTurn()
        let layers = 0
        const scanned = images
          ? [...contents].flatMap(([number, one]) => {
              if (one instanceof Error || number < firstPage || !needsOcr(one)) return []
              // Render only the first page with an OCR layer: if that layer is good, the others need no OCR.
              const mayBeGood = one.isUsable && one.isOcrLayer && hasGoodLayer === undefined
              return mayBeGood && layers++ > 0 ? [] : [number]
            })
          : []
        if (scanned.length > 0 || opened.memory() > bytesPerDocument) {
          opened.close()
          opened = undefined
          await collectGarbage()
        }
        if (images && scanned.length > 0) yield* images.render(scanned, progress)
      }
      const content = contents.get(page)
      const isRepeated = repeats.isRepeated(content)
      if (page < firstPage) {
        above = content instanceof Error || isRepeated ? undefined : lastTable(content?.parts)
        continue
      }
      const pageTitle = outline.titleOf(page)
      const at: Place = {
        page,
        ...(pageTitle === undefined ? {} : { pageTitle }),
      }
      try {
        if (!content || content instanceof Error) throw content
        let { parts, typed = [] } = isRepeated ? { parts: [] } : content
        let isScan = false
        if (images && reader && needsOcr(content)) {
          if (!images.has(page)) yield* images.render([page], progress)
          const scan = yield* awaited(images.read(page), reader.steps, progress)
          if (content.isUsable && content.isOcrLayer) hasGoodLayer ??= isGoodLayer(content, scan)
          const isUsable = content.isUsable && !(content.isOcrLayer && hasGoodLayer === false)
          const both = withScan({ ...content, isUsable }, scan)
          if (both.isScan && scan) yield { event: 'ocr', page, confidence: scan.confidence }
          else if (!isUsable && scan && scan.words > 0) {
            const message = `The picture of page ${page} could not be read: OCR in ${languages.join(', ')} has a confidence of ${Math.round(scan.confidence)} of 100. If the page is in another language, add it to CAIRN_OCR_LANGUAGES.`
            yield* writer.note('ocr_unreadable', message, at)
          }
          ;({ parts, isScan } = both)
          // The rendered page also shows the form fields.
          const seen = parts.map(textOf).join('\n')
          typed = typed.filter((text) => !seen.includes(text))
        }
        yield* notesOf(writer, content, at, { keepsHidden, isScan })
        const hidden =
          keepsHidden && !isRepeated && content.hidden.trim() !== '' ? [`[Hidden text] ${content.hidden.trim()}`] : []
        const running = content.running.join(' · ')
        const placed = running === '' ? at : { ...at, running }
        const { names, blocks } = blocksOf(parts, placed, {
          size: content.size,
          fonts: isScan ? undefined : surveyed.fonts,
          outline,
          above,
        })
        const added = [...typed, ...hidden].map((text): NewBlock => ({ kind: 'text', text, at: placed }))
        above = lastTable(parts)
        empty = parts.length > 0 || typed.length > 0 ? 0 : empty + 1
        if (empty > 0 && emptyNotes++ < maxEmptyNotes)
          yield* isRepeated
            ? writer.note('page_repeated', `Page ${page} has the text of a page before it and was not read again.`, at)
            : writer.note('page_without_text', `Page ${page} has no text.`, at)
        for (const name of names) yield* write(name, true)
        for (const block of [...blocks, ...added]) yield* write(block, false)
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
        const message = `Pages from ${page + 1} on were not read: ${maxEmptyInARow} pages in a row have no text of their own.`
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
    opened?.close()
    source.close()
  }
}

const lastTable = (parts: readonly Part[] = []): Table | undefined => {
  const last = parts.at(-1)
  return last && 'table' in last ? last.table : undefined
}

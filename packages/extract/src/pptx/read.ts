import type { ExtractEvent, Extractor } from '../block.ts'
import { type BlockWriter, blockWriter } from '../shared/block-writer.ts'
import { readCharts } from '../shared/charts.ts'
import { readDiagrams } from '../shared/diagram.ts'
import { type NotReadCounter, notReadCounter } from '../shared/not-read.ts'
import {
  mainPart,
  officeProperties,
  readSmallXml,
  readXml,
  relationsAndLinks,
  relationsOf,
  relationsPart,
} from '../shared/office-part.ts'
import { type CheckedZip, openZip } from '../shared/zip-check.ts'
import { unreadable } from '../unreadable.ts'
import { readAuthors, readComments } from './comments.ts'
import { layoutReader } from './layouts.ts'
import { shapeReader } from './shapes.ts'
import { notesText, slideContent } from './slide-blocks.ts'

/** All diagrams of a slide together. */
const maxDiagramBytes = 8 * 1024 * 1024
const maxFooters = 100

type Presentation = { readonly slides: readonly string[]; readonly authors: ReadonlyMap<string, string> }

/** Slides in order, each once. */
const readPresentation = async (zip: CheckedZip): Promise<Presentation> => {
  const main = await mainPart(zip)
  if (!zip.entries.has(relationsPart(main)))
    throw unreadable('damaged', 'The part that says where the slides are is missing.')
  const relations = await relationsOf(zip, main)
  const parts = new Map(relations.filter(({ type }) => type === 'slide').map(({ id, target }) => [id, target]))
  const slides = new Set<string>()
  await readSmallXml(zip, main, {
    open(name, attribute) {
      const part = name === 'sldId' ? parts.get(attribute('r:id') ?? '') : undefined
      if (part !== undefined) slides.add(part)
    },
  })
  return { slides: [...slides], authors: await readAuthors(zip, relations) }
}

type Shared = {
  readonly zip: CheckedZip
  readonly writer: BlockWriter
  readonly layouts: ReturnType<typeof layoutReader>
  readonly authors: ReadonlyMap<string, string>
  readonly notRead: NotReadCounter
  readonly footers: Set<string>
  readonly scan: (part: string, handler: Parameters<typeof readXml>[2]) => AsyncGenerator<ExtractEvent>
}

async function* slideEvents(part: string, page: number, shared: Shared): AsyncGenerator<ExtractEvent> {
  const { zip, writer, layouts, authors, notRead, footers, scan } = shared
  const at = { page }
  const { relations: all, addresses } = await relationsAndLinks(zip, part)
  const relations = all.filter(({ target }) => zip.entries.has(target))
  const slide = shapeReader({
    addresses,
    diagrams: await readDiagrams(zip, relations, maxDiagramBytes),
    charts: await readCharts(zip, relations),
    noteUnread: notRead.add,
  })
  yield* scan(part, slide.handler)
  const content = slideContent(slide.shapes, await layouts.of(relations))
  for (const text of content.footers) if (footers.size < maxFooters) footers.add(text)
  const after: string[] = []
  for (const { type, target } of relations) {
    if (type === 'comments') after.push(...(await readComments(zip, target, authors)))
    if (type !== 'notesSlide') continue
    const notes = shapeReader({ addresses: (await relationsAndLinks(zip, target)).addresses })
    yield* scan(target, notes.handler)
    const text = notesText(notes.shapes)
    if (text !== '') after.unshift(`Notes: ${text}`)
  }
  const { title, parts } = content
  if (title === '' && parts.length === 0 && after.length === 0) return
  yield* writer.block({ kind: 'heading', level: 1, text: title || `Slide ${page}`, at }, title === '')
  for (const block of parts) yield* writer.block({ ...block, at })
  for (const text of after) yield* writer.block({ kind: 'text', text, at })
  if (slide.isHidden()) yield* writer.note('text_hidden', `Slide ${page} is hidden; its text was read.`, at)
  else if (content.hasHiddenShapes)
    yield* writer.note('text_hidden', `Slide ${page} has hidden shapes; their text was read.`, at)
}

/** Holds one slide at a time. */
export const extractPptx: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const zip = await openZip(path)
  try {
    const { slides, authors } = await readPresentation(zip)
    const properties = await officeProperties(zip)
    if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
    let bytes = 0
    const notRead = notReadCounter()
    const layouts = layoutReader(zip)
    const footers = new Set<string>()
    const shared: Shared = {
      ...{ zip, writer, layouts, authors, notRead, footers },
      async *scan(part, handler) {
        for await (const read of readXml(zip, part, handler)) {
          bytes += read
          yield* writer.progress(bytes)
        }
      },
    }
    let missing = 0
    for (const [index, part] of slides.entries()) {
      const page = index + 1
      if (zip.entries.has(part)) yield* slideEvents(part, page, shared)
      else {
        missing++
        yield* writer.note('page_unreadable', `Slide ${page} is missing in the file.`, { page })
      }
    }
    for (const text of footers) yield* writer.block({ kind: 'text', text: `Footer: ${text}`, at: {} })
    for (const text of layouts.texts()) yield* writer.block({ kind: 'text', text: `Layout: ${text}`, at: {} })
    for (const message of notRead.messages()) yield* writer.note('content_not_read', message)
    try {
      writer.end()
    } catch (error) {
      throw missing > 0 ? unreadable('damaged', 'Slides are missing in the file.') : error
    }
  } finally {
    zip.close()
  }
}

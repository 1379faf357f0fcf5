import type { ExtractEvent, Extractor } from '../block.ts'
import { hasHeading } from '../html/headings.ts'
import { type PageContext, pageEvents } from '../html/page.ts'
import { htmlProperties } from '../html/properties.ts'
import { blockWriter } from '../shared/block-writer.ts'
import { notReadCounter } from '../shared/not-read.ts'
import { type CheckedZip, openZip } from '../shared/zip-check.ts'
import { unreadable } from '../unreadable.ts'
import { parseChapter } from './chapter-text.ts'
import { readContents, type Titles } from './contents.ts'
import { checkEncryption } from './encryption.ts'
import { type BookItem, readPackage } from './package.ts'
import { addTitles } from './titles.ts'

const pageTypes = new Set(['application/xhtml+xml', 'text/html', 'text/x-oeb1-document', 'image/svg+xml'])

/** A chapter without a heading begins with its title in the table of contents; its parts begin with theirs. */
const chapterReader = (zip: CheckedZip, titles: Titles, context: PageContext) => {
  const { writer } = context
  let bytes = 0
  return async function* ({ path, type }: BookItem): AsyncGenerator<ExtractEvent> {
    const at = { path }
    if (!zip.entries.has(path)) return yield* writer.note('content_not_read', 'A chapter is missing in the file.', at)
    if (!pageTypes.has(type)) return yield* writer.note('content_not_read', `A chapter is of the type ${type}.`, at)
    const own = titles.get(path) ?? []
    const pieces = parseChapter(zip, path, new Set(own.map(({ id }) => id)))
    let read = await pieces.next()
    for (; !read.done; read = await pieces.next()) {
      bytes += read.value
      yield* writer.progress(bytes)
    }
    const root = read.value
    const needsTitle = !hasHeading(root)
    const [title] = addTitles(root, own)
    // A part without a title continues the previous one, unless no part has a title.
    const text = titles.size > 0 ? title?.text : htmlProperties(root).title
    if (needsTitle && text) yield* writer.block({ kind: 'heading', text, level: title?.level ?? 1, at }, true)
    yield* pageEvents(root, { ...context, at })
  }
}

/** Yields the chapters in order, each read like an HTML page that is all content. */
export const extractEpub: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const zip = await openZip(path)
  try {
    const { properties, spine, contents } = await readPackage(zip)
    if (!spine.some((chapter) => zip.entries.has(chapter.path)))
      throw unreadable('damaged', 'The chapters of the book are missing.')
    await checkEncryption(zip, spine)
    if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
    const notRead = notReadCounter()
    const keepsHidden = options.hiddenText === 'keep'
    const titles = await readContents(zip, contents)
    const readChapter = chapterReader(zip, titles, { writer, notRead, keepsHidden, isOfSite: false })
    for (const chapter of spine) yield* readChapter(chapter)
    for (const message of notRead.messages()) yield* writer.note('content_not_read', message)
    writer.end()
  } finally {
    zip.close()
  }
}

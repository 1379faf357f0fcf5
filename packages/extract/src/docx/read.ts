import type { ExtractEvent, Extractor } from '../block.ts'
import { type BlockWriter, blockWriter } from '../shared/block-writer.ts'
import { documentBlocks, furnitureText } from '../shared/blocks.ts'
import { readCharts } from '../shared/charts.ts'
import { readDiagrams } from '../shared/diagram.ts'
import { readDocument } from '../shared/document.ts'
import { notReadCounter } from '../shared/not-read.ts'
import { mainPart, officeProperties, type Relation, readXml, relationsOf } from '../shared/office-part.ts'
import { type CheckedZip, checkZip, openZip } from '../shared/zip-check.ts'
import { isUnreadable, unreadable } from '../unreadable.ts'
import { tooLarge, treeBudget } from './budget.ts'
import type { DocxShared, PartOptions } from './context.ts'
import { readNumbering } from './numbering.ts'
import { docxRewriter } from './rewrite.ts'
import { readStyles } from './styles.ts'

/** Bytes of XML. Parts are read piece by piece, so this limits time, not memory. */
const maxInputBytes = 64 * 1024 * 1024
/** Bytes of each part that is held in memory; of all diagrams together. */
const maxPartBytes = 8 * 1024 * 1024
const maxHeadersAndFooters = 100
const maxChartPoints = 2000

/** Finds parts by their relation or, like Word, by their usual names. */
const partFinder = (zip: CheckedZip, main: string, relations: readonly Relation[]) => {
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  return (type: string): string | undefined => {
    const related = relations.find((relation) => relation.type === type && zip.entries.has(relation.target))?.target
    const usual = `${folder}${type}.xml`
    return related ?? (zip.entries.has(usual) ? usual : undefined)
  }
}

const asDamaged = (error: unknown): unknown =>
  isUnreadable(error)
    ? error
    : unreadable('damaged', 'The document is not built as a Word document is.', { cause: error })

type Rewrite = (name: string, options?: PartOptions) => AsyncGenerator<ExtractEvent, string>

const rewriterOf = (zip: CheckedZip, main: string, shared: DocxShared, writer: BlockWriter): Rewrite => {
  let bytes = 0
  return async function* (name, options) {
    const rewriter = docxRewriter(shared, options)
    for await (const size of readXml(zip, name, rewriter.handler)) {
      bytes += size
      if (bytes > maxInputBytes) throw tooLarge()
      yield* writer.progress(bytes)
    }
    if (name === main && !rewriter.hasBody()) throw asDamaged(new Error('no body'))
    return rewriter.end()
  }
}

/** Yields each text once: different parts often have the same. */
async function* furnitureEvents(
  parts: readonly Relation[],
  rewrite: Rewrite,
  writer: BlockWriter,
): AsyncGenerator<ExtractEvent> {
  const known = new Set<string>()
  for (const { target, type } of parts) {
    const body = yield* rewrite(target, { furniture: true })
    if (body === '' || known.has(body)) continue
    known.add(body)
    const { document } = await readDocument({ body })
    const text = document ? furnitureText(document) : ''
    if (text === '' || known.has(text)) continue
    known.add(text)
    yield* writer.block({ kind: 'text', text: `${type === 'header' ? 'Header' : 'Footer'}: ${text}`, at: {} })
  }
}

/** Yields the body, then notes, comments, headers and footers. */
export const extractDocx: Extractor = async function* (path, options) {
  const writer = blockWriter(options)
  const zip = await openZip(path)
  try {
    const main = await mainPart(zip)
    await checkZip(zip)
    const properties = await officeProperties(zip)
    if (Object.keys(properties).length > 0) yield { event: 'properties', properties }
    const relations = await relationsOf(zip, main)
    const existing = relations.filter(({ target }) => zip.entries.has(target))
    const partOf = partFinder(zip, main, relations)
    const styleOf = await readStyles(zip, partOf('styles') ?? '', maxPartBytes)
    const numbering = await readNumbering(zip, partOf('numbering') ?? '', styleOf, maxPartBytes)
    const diagrams = await readDiagrams(zip, existing, maxPartBytes)
    const charts = await readCharts(zip, existing, maxChartPoints)
    const notRead = notReadCounter()
    const shared = { budget: treeBudget(), styleOf, numbering, notRead, marked: new Map<string, string>() }
    const rewrite = rewriterOf(zip, main, shared, writer)
    const body = yield* rewrite(main, { diagrams, charts })
    const notes: { footnotes?: string; endnotes?: string; comments?: string } = {}
    for (const name of ['footnotes', 'endnotes', 'comments'] as const) {
      const part = partOf(name)
      if (part !== undefined) notes[name] = yield* rewrite(part)
    }
    let warnings: readonly string[] = []
    try {
      const read = await readDocument({ body, ...notes })
      warnings = read.warnings
      if (read.document)
        for (const part of documentBlocks(read.document, shared.marked)) yield* writer.block({ ...part, at: {} })
      const furniture = existing.filter(({ type }) => type === 'header' || type === 'footer')
      for (const _ of furniture.slice(maxHeadersAndFooters)) notRead.add('furniture')
      yield* furnitureEvents(furniture.slice(0, maxHeadersAndFooters), rewrite, writer)
    } catch (error) {
      throw asDamaged(error)
    }
    for (const message of [...notRead.messages(), ...warnings]) yield* writer.note('content_not_read', message)
    writer.end()
  } finally {
    zip.close()
  }
}

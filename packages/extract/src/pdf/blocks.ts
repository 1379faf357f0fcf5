import type { ExtractEvent, Place } from '../block.ts'
import { type BlockWriter, maxBlockUnits, type NewBlock } from '../shared/block-writer.ts'
import type { Outline } from './document/outline.ts'
import type { Content } from './document/read-content.ts'
import { type Fonts, isTitle, levelsOf } from './headings.ts'
import type { Part } from './lines/layout.ts'
import { type PageSize, placesOfCells, placesOfLines } from './places.ts'
import { continued, markdownOf, type Table } from './tables/table.ts'

/** A page with this share and number of unmapped characters gets a note. */
const notedUnmapped = { share: 0.02, count: 10 }

/** `names`: outline entries that begin on the page but whose title is not in its text. */
type Parts = { readonly names: readonly NewBlock[]; readonly blocks: readonly NewBlock[] }

export const blocksOf = (
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

export const notesOf = (
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

export const lastTable = (parts: readonly Part[] = []): Table | undefined => {
  const last = parts.at(-1)
  return last && 'table' in last ? last.table : undefined
}

import { encodePlaces, type PlacedStretch, placesWithin } from '@cairn/domain/text/places'
import { wordBorder } from '@cairn/domain/text/word-border'
import type { Block, ExtractEvent, ExtractOptions, NoteCode, Place } from '../block.ts'
import { unreadable } from '../unreadable.ts'
import { cleanText } from './clean-text.ts'

/** UTF-16 units. */
export const maxBlockUnits = 50_000
/** Units that `cutAt` needs beyond its limit to find the end of the character there. */
export const graphemeUnits = 64
/** The last one reports that more were left out. */
const maxNotes = 100
/** The parent kills a child after a minute without output; even a slow disk delivers this many bytes sooner. */
const progressBytes = 4 * 1024 * 1024

/** Neither white space nor controls nor marks without a glyph. */
const visible = /[^\s\p{Cc}\p{Cf}\ufffd]/u

/**
 * Where to cut, so that the first piece has at most `limit` units: after a line if one ends late enough, else after a
 * blank, else between words.
 */
export const cutAt = (text: string, limit: number): number => {
  if (text.length <= limit) return text.length
  const line = text.lastIndexOf('\n', limit - 1)
  if (line >= limit * 0.8) return line + 1
  for (let index = limit; index > limit / 2; index--) if (/\s/.test(text.charAt(index - 1))) return index
  return wordBorder(text, Math.floor(limit / 2), limit)
}

/** `before` and `after` are the units of the block's text around the piece. */
const placed = (at: Place, before: number, after: number): Place =>
  at.offset ? { ...at, offset: { from: at.offset.from + before, to: at.offset.to - after } } : at

/** Without a number; places are not encoded yet. */
export type NewBlock = Omit<Block, 'seq' | 'places'> & { readonly places?: readonly PlacedStretch[] }

/** If cleaning changes the length, the text is cleaned in pieces, so that the places stay right. */
const cleanPlaced = (
  text: string,
  places: readonly PlacedStretch[],
): Pick<NewBlock, 'text'> & Pick<Block, 'places'> => {
  let cleaned = cleanText(text)
  let moved = places
  if (cleaned.length !== text.length) {
    cleaned = ''
    let done = 0
    moved = places.map((place) => {
      cleaned += cleanText(text.slice(done, place.start))
      const start = cleaned.length
      cleaned += cleanText(text.slice(place.start, place.end))
      done = place.end
      return { ...place, start, end: cleaned.length }
    })
    cleaned += cleanText(text.slice(done))
  }
  const trimmed = cleaned.trimEnd()
  const within = placesWithin(cleaned, moved, { start: 0, end: trimmed.length })
  return { text: trimmed, ...(within.length > 0 && { places: encodePlaces(within) }) }
}

/**
 * Numbers blocks, cuts long ones, omits those before `options.from` and records whether the file has text. Each reading
 * of a file needs a new writer. Text with an offset must be passed with every unit as decoded, because offsets of
 * pieces are computed from lengths.
 */
export const blockWriter = (options: ExtractOptions) => {
  const first = options.from?.seq ?? 0
  let seq = 0
  let anyText = false
  let notes = 0
  let reportedBytes = 0

  return {
    /** `names`: the text only names a part of the file, such as a sheet. A file with nothing else has no text. */
    block({ places = [], ...block }: NewBlock, names = false): ExtractEvent[] {
      const events: ExtractEvent[] = []
      for (let from = 0; from < block.text.length; ) {
        const to =
          from +
          cutAt(from === 0 ? block.text : block.text.slice(from, from + maxBlockUnits + graphemeUnits), maxBlockUnits)
        const piece = block.text.slice(from, to)
        const blank = /^\s*[\r\n]/.exec(piece)?.[0].length ?? 0
        const inner = piece.slice(blank).trimEnd()
        if (visible.test(inner)) {
          if (!names) anyText = true
          if (seq >= first) {
            const at = placed(block.at, from + blank, block.text.length - from - blank - inner.length)
            const start = from + blank
            const own = placesWithin(block.text, places, { start, end: start + inner.length })
            events.push({ event: 'block', block: { ...block, seq, ...cleanPlaced(inner, own), at } })
          }
          seq++
        }
        from = to
      }
      return events
    },
    note(code: NoteCode, message: string, at?: Place): ExtractEvent[] {
      notes += 1
      if (notes > maxNotes) return []
      if (notes === maxNotes)
        return [{ event: 'note', code: 'truncated', message: 'The file has more notes than are listed here.' }]
      return [at ? { event: 'note', code, message, at } : { event: 'note', code, message }]
    },
    /** Depends on bytes, not on the clock, so that every reading of a file yields the same events. */
    progress(bytes: number, rows?: number): ExtractEvent[] {
      if (bytes - reportedBytes < progressBytes) return []
      reportedBytes = bytes
      return [rows === undefined ? { event: 'progress', bytes } : { event: 'progress', bytes, rows }]
    },
    /** Throws `PermanentError` if the file has no text. */
    end(): void {
      if (!anyText) throw unreadable('no_text', 'The file holds no text.')
    },
  }
}

export type BlockWriter = ReturnType<typeof blockWriter>

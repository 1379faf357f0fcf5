import { fileTypeOf } from '@cairn/contracts/files/file-rules'
import type { Place } from '@cairn/contracts/http/places'
import { boxesWithin } from '@cairn/domain/text/boxes'
import type { Stretch } from '@cairn/domain/text/cut-passages'
import { decodePlaces, type PlacedStretch, pageEdge, placesWithin } from '@cairn/domain/text/places'
import type { SearchHit } from './search-namespaces.ts'

type Placed = Pick<SearchHit, 'text' | 'metadata' | 'file'>

const share = (units: number): number => Math.round((units / pageEdge) * 100_000) / 100_000

const boxesOf = (text: string, places: readonly PlacedStretch[], range: Stretch): Place['boxes'] =>
  boxesWithin(text, places, range).map(({ x0, y0, x1, y1 }) => ({
    left: share(x0),
    top: share(y0),
    width: share(x1 - x0),
    height: share(y1 - y0),
  }))

/** Rows and columns of the cells in the range. A range without cells, such as a header, has the rows of its chunk. */
const cellsOf = (text: string, places: readonly PlacedStretch[], range: Stretch, from: number, to: number) => {
  const cells = placesWithin(text, places, range)
  if (cells.length === 0) return { rows: { from, to } }
  const [rows, columns] = [cells.map(({ y0 }) => from + y0), cells.map(({ x0 }) => x0 + 1)]
  return {
    rows: { from: Math.min(...rows), to: Math.max(...rows) },
    columns: { from: Math.min(...columns), to: Math.max(...columns) },
  }
}

/**
 * Where a range of a hit's text, in UTF-16 units, stands in its file. Empty for what is no chunk of a file; of a
 * summary, whose sentences come from many pages, only the file.
 */
export const placesOf = ({ text, metadata, file }: Placed, range: Stretch | undefined): Place[] => {
  if (!file) return []
  if (metadata['is_summary'] === true) return [{ file: file.name }]
  const { page, sheet, row_from: from, row_to: to, heading, path, offset_from: start, offset_to: end } = metadata
  const type = fileTypeOf(file.name)
  const within = range ?? { start: 0, end: text.length }
  const places = file.places === undefined ? [] : decodePlaces(file.places)
  const number = Number(page)
  const isPage = typeof page === 'string' && number > 0
  const hasOffset = typeof start === 'number' && typeof end === 'number'
  const isExact = hasOffset && end - start === text.length
  return [
    {
      file: file.name,
      ...(isPage && (type === 'pptx' ? { slide: number } : { page: number })),
      ...(isPage && places.length > 0 && { boxes: boxesOf(text, places, within) }),
      ...(typeof sheet === 'string' && { sheet }),
      ...(typeof from === 'number' && typeof to === 'number' && cellsOf(text, places, within, from, to)),
      ...(typeof heading === 'string' && { heading }),
      ...(typeof path === 'string' && (type === 'json' ? { pointer: path } : { part: path })),
      ...(hasOffset && {
        offset: isExact ? { from: start + within.start, to: start + within.end } : { from: start, to: end },
      }),
    },
  ]
}

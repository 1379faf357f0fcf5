import type { CairnDocument, FileNote } from './types.ts'

type Place = { readonly [K in keyof NonNullable<FileNote['place']>]: string | number | undefined }

const range = (what: string, from: Place['row_from'], to: Place['row_to']): string | undefined => {
  if (from === undefined) return undefined
  return to === undefined || to === from ? `${what} ${from}` : `${what}s ${from} to ${to}`
}

/** Describes a note's place: `page 3`, `sheet "Costs", rows 4 to 9`. Returns an empty string without a place. */
export const describePlace = ({ place = {} }: { readonly place?: Place }): string => {
  const { page, page_title: title, sheet, path } = place
  return [
    page === undefined ? undefined : `page ${page}`,
    title === undefined ? undefined : `"${title}"`,
    sheet === undefined ? undefined : `sheet "${sheet}"`,
    range('row', place.row_from, place.row_to),
    path === undefined ? undefined : `at ${path === '' ? 'the top' : path}`,
    range('character', place.offset_from, place.offset_to),
  ]
    .filter((part) => part !== undefined)
    .join(', ')
}

/**
 * Says where a chunk's or summary's text is: its `file`, the `place` there, which may be empty, and both as `text`:
 * `report.pdf, page 3`, `guide.md, "Install"`. Undefined for other documents.
 */
export const filePartOf = ({ id, metadata }: Pick<CairnDocument, 'id' | 'metadata'>) => {
  const { source, is_summary: isSummary, chunk_index: index } = metadata
  if (typeof source !== 'string' || !(isSummary === true || id.endsWith(`_chunk_${index}`))) return undefined
  // Only the server sets these keys of a chunk.
  const { page, sheet, row_from, row_to, heading, path } = metadata as Place & { readonly heading?: string }
  const exact = describePlace({ place: { page, sheet, row_from, row_to } })
  const inText = exact || (heading ? `"${heading}"` : describePlace({ place: { path } }))
  const place = isSummary === true ? 'summary' : inText
  return { file: source, place, text: place === '' ? source : `${source}, ${place}` }
}

import type { FileNote } from './types.ts'

const range = (what: string, from: number | undefined, to: number | undefined): string | undefined => {
  if (from === undefined) return undefined
  return to === undefined || to === from ? `${what} ${from}` : `${what}s ${from} to ${to}`
}

/**
 * Describes the place of a note in its file: `page 3`, `sheet "Costs", rows 4 to 9`. Returns an empty string if the
 * note has no place.
 */
export const describePlace = ({ place }: FileNote): string => {
  if (!place) return ''
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

import { unreadable } from '../unreadable.ts'

/** mammoth holds a whole document in memory, with a few kilobytes per element; the figures are measured. */
export const maxTextBytes = 8 * 1024 * 1024
const bytesPerElement = 2300
const bytesPerByte = 20
const maxTreeBytes = 232 * 1024 * 1024

export const tooLarge = () =>
  unreadable('too_large_to_process', 'The document has more text and layout than fits into memory.')

const countTags = (xml: string): number => {
  let count = 0
  for (let index = xml.indexOf('<'); index >= 0; index = xml.indexOf('<', index + 1))
    if (xml.charAt(index + 1) !== '/') count++
  return count
}

/** Counts the XML written for mammoth; throws `PermanentError` once mammoth's tree would take too much memory. */
export const treeBudget = () => {
  let bytes = 0
  let elements = 0
  return (xml: string): void => {
    bytes += Buffer.byteLength(xml)
    elements += countTags(xml)
    if (bytes > maxTextBytes || elements * bytesPerElement + bytes * bytesPerByte > maxTreeBytes) throw tooLarge()
  }
}
export type TreeBudget = ReturnType<typeof treeBudget>

import { readXml } from '../shared/office-part.ts'
import type { CheckedZip } from '../shared/zip-check.ts'
import { unreadable } from '../unreadable.ts'

const maxBytes = 64 * 1024 * 1024
const maxStringUnits = 1024 * 1024

export type SharedStrings = {
  readonly get: (index: number) => string | undefined
  /** Cells that refer to a shared string if the file has none; otherwise 0. */
  readonly missing: () => number
}

/** `_x000D_` and the like stand for characters that XML can't contain. */
export const unescapeCell = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\da-fA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text

/** Keeps bytes outside the heap: a million JavaScript strings would take several times the memory. */
export async function* readSharedStrings(
  zip: CheckedZip,
  part: string | undefined,
): AsyncGenerator<number, SharedStrings> {
  if (!part || !zip.entries.has(part)) {
    let missing = 0
    return {
      get: () => {
        missing++
        return undefined
      },
      missing: () => missing,
    }
  }
  let bytes = Buffer.allocUnsafe(64 * 1024)
  let used = 0
  let ends = new Uint32Array(1024)
  let count = 0
  let text = ''
  let inText = false
  let phonetic = 0

  const keep = () => {
    const size = Buffer.byteLength(text)
    if (used + size > maxBytes)
      throw unreadable('too_large_to_process', 'The workbook holds more different texts than fit into memory.')
    if (used + size > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, used + size))
      bytes.copy(larger, 0, 0, used)
      bytes = larger
    }
    used += bytes.write(text, used)
    if (count === ends.length) {
      const larger = new Uint32Array(ends.length * 2)
      larger.set(ends)
      ends = larger
    }
    ends[count++] = used
    text = ''
  }

  yield* readXml(zip, part, {
    open(name) {
      if (name === 'rPh') phonetic++
      inText = name === 't' && phonetic === 0
    },
    close(name) {
      if (name === 'rPh') phonetic--
      if (name === 'si') keep()
      inText = false
    },
    text(more) {
      if (inText && text.length < maxStringUnits) text += more
    },
  })
  return {
    get: (index) =>
      index >= 0 && index < count
        ? unescapeCell(bytes.toString('utf8', index === 0 ? 0 : ends[index - 1], ends[index]))
        : undefined,
    missing: () => 0,
  }
}

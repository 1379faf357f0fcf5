/** From the first offset up to, not including, the second. */
export type OffsetRange = readonly [from: number, to: number]

const version = 'c1 '
/** A broker takes 4,096 bytes with a commit (`offset.metadata.max.bytes`). What doesn't fit is delivered again. */
const limit = 3_500

/**
 * What a group has handled beyond the first message it has not (`low`), as text that goes along with the committed offset:
 * `gap.length` for each range, in base 36, the gap counted from the end of the range before.
 */
export const writeHandled = (low: number, ranges: readonly OffsetRange[]): string => {
  let text = ''
  let end = low
  for (const [from, to] of ranges) {
    const next = `${text === '' ? version : ','}${(from - end).toString(36)}.${(to - from).toString(36)}`
    if (text.length + next.length > limit) break
    text += next
    end = to
  }
  return text
}

const pair = /^([0-9a-z]+)\.([0-9a-z]+)$/

/** The opposite. Text that something else has left with the commit says nothing. */
export const readHandled = (low: number, text: string | null): OffsetRange[] => {
  if (!text?.startsWith(version)) return []
  const ranges: OffsetRange[] = []
  let end = low
  for (const part of text.slice(version.length).split(',')) {
    const [, gap, length] = pair.exec(part) ?? []
    if (gap === undefined || length === undefined) return []
    const from = end + Number.parseInt(gap, 36)
    end = from + Number.parseInt(length, 36)
    ranges.push([from, end])
  }
  return ranges
}

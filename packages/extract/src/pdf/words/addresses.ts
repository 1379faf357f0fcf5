import { isAddressText } from '../../shared/link-address.ts'
import type { Frame } from '../characters/page.ts'
import type { Link } from '../document/links.ts'
import type { Segment } from './segments.ts'
import type { Word } from './words.ts'

/** Writes each link's address after its last word, unless the words are the address. */
export const withAddresses = (
  segments: readonly Segment[],
  links: readonly Link[],
  { angle }: Frame,
): readonly Segment[] => {
  if (links.length === 0 || Math.abs(angle) > 0.02) return segments
  const addresses = new Map<Word, string>()
  for (const [index, { box, address }] of links.entries()) {
    // A link over several lines has a box for each.
    if (links[index + 1]?.address === address) continue
    const inside = segments.flatMap(({ words }) =>
      words.filter(({ x0, x1, y, style }) => {
        const [x, middle] = [(x0 + x1) / 2, y - style.size * 0.3]
        return x >= box.x0 && x <= box.x1 && middle >= box.y0 && middle <= box.y1
      }),
    )
    const last = inside.at(-1)
    const text = inside.map((word) => word.text).join('')
    if (last && !isAddressText(text, address)) addresses.set(last, address)
  }
  if (addresses.size === 0) return segments
  return segments.map((segment) => ({
    ...segment,
    words: segment.words.map((word) => {
      const address = addresses.get(word)
      return address === undefined ? word : { ...word, text: `${word.text} (${address})` }
    }),
  }))
}

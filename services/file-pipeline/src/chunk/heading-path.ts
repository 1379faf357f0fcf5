import type { Heading } from './chunk.ts'

const maxTitle = 160
const maxPath = 500

const clip = (text: string, max: number): string => {
  const points = Array.from(text.slice(0, 2 * max + 2))
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}

/** Titles are shortened because every chunk's metadata repeats them. */
export const withHeading = (path: readonly Heading[], level: number, text: string): readonly Heading[] => [
  ...path.filter((above) => above.level < level),
  {
    level,
    text: clip(
      text
        .slice(0, 4 * maxTitle)
        .replace(/\s+/gu, ' ')
        .trim(),
      maxTitle,
    ),
  },
]

const same = (left: Heading | undefined, right: Heading | undefined): boolean =>
  left?.level === right?.level && left?.text === right?.text

export const isUnderParentOf = (path: readonly Heading[], other: readonly Heading[]): boolean => {
  if (path.length === 0) return true
  const parent = path.slice(0, -1)
  return other.length > parent.length && parent.every((heading, index) => same(heading, other[index]))
}

export const commonPath = (paths: readonly (readonly Heading[])[]): readonly Heading[] => {
  const [first = [], ...others] = paths
  const end = first.findIndex((heading, index) => others.some((other) => !same(heading, other[index])))
  return end === -1 ? first : first.slice(0, end)
}

/** Drops the outermost titles of a long path: the nearest are the most specific. */
export const pathText = (path: readonly Heading[]): string => {
  const titles = path.map(({ text }) => text).filter((text) => text !== '')
  while (titles.length > 1 && titles.join(' > ').length > maxPath) titles.shift()
  return titles.join(' > ')
}

import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readmeOf } from './demo/read-readmes.ts'
import { demoQueries, hardQueries } from './demo-queries.ts'

const allQueries = [...demoQueries, ...hardQueries]

const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

// Words of at most 3 letters (a, for, the, npm …) may occur in both a query and a README, because they say nothing
// about a package.
const telling = (text: string): string[] => words(text).filter((word) => word.length > 3)

const readmeFor = (name: string): string => {
  const text = readmeOf(fileURLToPath(new URL(`../../../node_modules/${name}`, import.meta.url)))
  if (text === undefined) throw new Error(`${name} is not installed, or has no README`)
  return text
}

/** Returns the first non-empty line and the first heading; they differ if a README begins with badges or HTML. */
const headOf = (readme: string): string => {
  const firstLine = readme.split('\n').find((line) => line.trim() !== '') ?? ''
  const heading = /^#{1,6} (.*)$|<h1[^>]*>(.*?)<\/h1>/ms.exec(readme.replace(/^(#{1,6} .*)$/m, '$1\n'))
  return `${firstLine}\n${heading?.[1]?.split('\n')[0] ?? heading?.[2] ?? ''}`
}

describe('the queries of the demo', () => {
  it('are twelve, about twelve packages', () => {
    for (const queries of [demoQueries, hardQueries])
      expect(new Set(queries.map(({ expected }) => expected)).size).toBe(12)
    expect(allQueries).toHaveLength(24)
  })

  it.each(allQueries)(
    'share no word with the name of $expected or the first line of its README',
    ({ query, expected }) => {
      const readme = readmeFor(expected)
      const forbidden = new Set(telling(`${expected} ${expected.replaceAll(/[^a-z0-9]/gi, '')}\n${headOf(readme)}`))
      expect(forbidden.size).toBeGreaterThan(0)
      expect(telling(query).filter((word) => forbidden.has(word))).toEqual([])
      // Queries must not contain parts of the name either, such as `checking` for `check`, or `check` for `checking`.
      const parts = words(expected).filter((part) => part.length > 3)
      expect(telling(query).filter((word) => parts.some((part) => word.includes(part) || part.includes(word)))).toEqual(
        [],
      )
    },
  )

  it.each(hardQueries)('say in other words what $expected is for', ({ query, expected }) => {
    const readme = new Set(words(readmeFor(expected)))
    const asked = telling(query)
    expect(asked.filter((word) => readme.has(word)).length).toBeLessThanOrEqual(asked.length / 2)
  })
})

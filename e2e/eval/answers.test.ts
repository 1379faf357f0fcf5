import { expect, it } from 'vitest'
import { hasAnswer } from './answers.ts'

it.each([
  ['The Panthers allowed just 308 points.', ['308'], true],
  ['The Panthers allowed just 3082 points.', ['308'], false],
  ['It was Luke Kuechly, who led the team.', ['Luke Kuechly.'], true],
  ['Kuechly and Luke led the team.', ['Luke Kuechly'], false],
  ['They won 23–16.', ['24–10', '23-16'], true],
  ['', ['a'], false],
])('%j has one of %j: %s', (quoted, answers, expected) => {
  expect(hasAnswer(quoted, answers)).toBe(expected)
})

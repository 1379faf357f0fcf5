import { expect, it } from 'vitest'
import { findVagueComments } from './lib/comments.ts'

/** Comment markers are written `#` below, because `npm run check` checks this file, too. */
const sourceOf = (text: string) => text.replaceAll('#', '//')
const found = (source: string) => findVagueComments(sourceOf(source)).map(({ line, text }) => `${line}: ${text}`)

it.each([
  ['/** Of the first account. */', '1: Of the first account.'],
  ['const a = 1 # The same once more.', '1: The same once more.'],
  ['type A = {\n  # As many as fit.\n  b: 1\n}', '2: As many as fit.'],
  ['/**\n * Keeps an object for\n * so long.\n */', '1: Keeps an object for so long.'],
  ['# Waits. Not\n# so much is lost.', '1: Waits. Not so much is lost.'],
])('finds a comment whose subject must be guessed: %j', (source, expected) => {
  expect(found(source)).toEqual([expected])
})

it.each([
  '/** The same as `max`, in bytes. */',
  '/** Waits so long as the lease holds. */',
  '/** Returns the fault. Of two, the first. */',
  "const text = 'Of the first account.'",
  'const url = "https://example.com/so many"',
])('accepts %j', (source) => {
  expect(found(source)).toEqual([])
})

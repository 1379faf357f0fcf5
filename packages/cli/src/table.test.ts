import { describe, expect, it } from 'vitest'
import { table } from './table.ts'

const rows = [{ id: 'a-long-identifier', text: 'A cairn marks the path over the pass.' }]
const print = (width?: number) =>
  table<(typeof rows)[number]>(
    [
      { title: 'ID', value: ({ id }) => id },
      { title: 'TEXT', value: ({ text }) => text, long: true },
    ],
    rows,
    width,
  )

describe('a table', () => {
  it('is cut to the terminal, but never its ids, and nothing for other outputs', () => {
    expect(print()).toBe('ID                 TEXT\na-long-identifier  A cairn marks the path over the pass.\n')
    expect(print(200)).toBe(print())
    expect(print(40)).toBe('ID                 TEXT\na-long-identifier  A cairn marks the pa…\n')
    expect(print(10)).toBe('ID                 TEXT\na-long-identifier  A cairn m…\n')
  })
})

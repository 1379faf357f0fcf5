import { describe, expect, it } from 'vitest'
import { escaped, printable, table } from './table.ts'

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

describe('a text', () => {
  it('shows what could disguise it as escapes, and keeps its lines and its words in any script', () => {
    const text = 'a\r\n\tb\rc \u202egnp.exe שלום 👩\u200d🔧'
    expect(escaped(text)).toBe('a\n\tb\\u000dc \\u202egnp.exe שלום 👩\u200d🔧')
    expect(printable(text)).toBe('a b\\u000dc \\u202egnp.exe שלום 👩 🔧')
  })
})

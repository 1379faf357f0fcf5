import { decodePlaces } from '@cairn/domain/text/places'
import { describe, expect, it } from 'vitest'
import { blockWriter, maxBlockUnits } from './block-writer.ts'

const box = (x0: number) => ({ x0, y0: 10, x1: x0 + 5, y1: 20 })

/** Returns the texts of the places of each block, with the left edge of their boxes. */
const written = (text: string, parts: readonly string[]) => {
  let position = 0
  const places = parts.map((part, index) => {
    const start = text.indexOf(part, position)
    position = start + part.length
    return { start, end: position, ...box(index) }
  })
  const events = blockWriter({}).block({ kind: 'text', text, at: { page: 1 }, places })
  return events.flatMap((event) => {
    if (event.event !== 'block') return []
    const { text, places = '' } = event.block
    return [decodePlaces(places).map(({ start, end, x0 }) => [text.slice(start, end), x0])]
  })
}

describe('places of a block', () => {
  it('stay with their text when it is cleaned', () => {
    expect(written('\n\0\0a\r\nb\u0001\u0001c \ud800d \u0007', ['a', 'b', 'c', '\ud800d'])).toEqual([
      [
        ['a', 0],
        ['b', 1],
        ['c', 2],
        ['\ufffdd', 3],
      ],
    ])
  })

  it('stay with their text when it is cut', () => {
    const lines = Array.from({ length: 1_001 }, (_, index) => `${index} ${'w'.repeat(97)}`)
    const blocks = written(lines.join('\n'), lines)
    expect(blocks.length).toBe(Math.ceil(lines.join('\n').length / maxBlockUnits))
    expect(blocks.flat()).toEqual(lines.map((line, index) => [line, index]))
  })

  it('are left out if the text has none', () => {
    const [event] = blockWriter({}).block({ kind: 'text', text: 'a', at: {} })
    expect(event).toEqual({ event: 'block', block: { seq: 0, kind: 'text', text: 'a', at: {} } })
  })
})

it('reports in the last of 100 notes that there are more', () => {
  const writer = blockWriter({})
  const notes = Array.from({ length: 150 }, (_, at) => writer.note('page_unreadable', `Page ${at}`)).flat()
  expect(notes).toHaveLength(100)
  expect(notes.at(-2)).toMatchObject({ message: 'Page 98' })
  expect(notes.at(-1)).toMatchObject({ code: 'truncated' })
})

import { describe, expect, it } from 'vitest'
import { readFile, texts as textsIn } from '../read-file.fixture.ts'
import { type PdfPage, writePdf } from './pdf.fixture.ts'

type Line = Exclude<NonNullable<PdfPage['lines']>[number], string>

const texts = async (lines: readonly Line[], operators = '') =>
  textsIn(await readFile('pdf', writePdf({ pages: [{ lines, operators, size: [792, 842] }] }), { ocr: false }))

const words = 'the keeper of the north wall walks along the quay and looks at lamps before each boat has left it'.split(
  ' ',
)
/** Returns sentences that differ by `seed`. */
const prose = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, n) => {
    const own = Array.from({ length: 17 }, (_, index) => words[(index * seed + n) % words.length])
    return `Part ${seed} says ${own.join(' ')}.`
  }).join(' ')

/** Returns a text as lines of up to `width` characters, from the top of a column. */
const column = (text: string, x: number, top: number, step: number, width = 30): Line[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line, index) => ({ text: line, x, y: top - index * step, size: 9 }))
}
const fromTheTop = (...columns: readonly (readonly Line[])[]): Line[] =>
  columns.flat().toSorted((a, b) => b.y - a.y || a.x - b.x)

describe('columns of prose drawn line by line', () => {
  const parts = [2, 3, 4, 5].map((seed) => prose(seed, 3))
  it.each([
    ['three', [40, 200, 360]],
    ['four', [40, 200, 360, 520]],
    ['two on each page of a spread', [30, 175, 420, 565]],
  ])('are read one after the other: %s', async (_, xs) => {
    for (const step of [11, 12.5]) {
      const lines = xs.map((x, index) => column(parts[index] as string, x, 700 - index * 3, index % 2 > 0 ? step : 11))
      expect((await texts(fromTheTop(...lines))).join(' ')).toBe(parts.slice(0, xs.length).join(' '))
    }
  })
})

it('a column of prose is read before a list with amounts beside it', async () => {
  const text = prose(2, 4)
  const rows = ['Barbital', 'Diazepam', 'Loprazolam', 'Medazepam', 'Oxazepam', 'Temazepam', 'Tetrazepam', 'Triazolam']
  const list = rows.flatMap((name, index): Line[] => [
    { text: `(${index + 1}) ${name} ${'.'.repeat(20)}`, x: 212, y: 697 - index * 10.3, size: 7 },
    { text: `28${index}`, x: 370, y: 697 - index * 10.3, size: 7 },
  ])
  const read = await texts(fromTheTop(column(text, 40, 700, 11), list))
  expect(read.join(' ')).toContain(text)
  expect(read.join('\n')).toMatch(/\(4\) Medazepam[ .|]+283/)
})

/** Width of the digits and of most letters of Helvetica, in multiples of the font size. */
const letterWidth = 0.556

describe('blanks of a justified line', () => {
  /** Draws lines from edge to edge, as programs do that place each word. Their letters are equally wide. */
  const draw = (lines: readonly string[]): Line[] =>
    lines.flatMap((line, row) => {
      const parts = line.split(' ')
      const blank = (180 - parts.join('').length * letterWidth * 10) / (parts.length - 1)
      return parts.map((text, index) => {
        const before = parts.slice(0, index).join('').length * letterWidth * 10 + index * blank
        return { text, x: 72 + before, y: 700 - row * 12, size: 10 }
      })
    })

  it('separate no cells, however wide they are', async () => {
    const lines = [
      'and a hound had gone upon an edge',
      'abandoned happened heap',
      'and one queen had opened a page',
      'happened abandoned dune',
      'unopened gap',
      'on bad end and been bound upon a',
    ]
    expect(await texts(draw(lines))).toEqual([lines.join(' ')])
  })

  it('separate cells if no prose surrounds them', async () => {
    const table = await texts(draw(['abandoned 120 300', 'happened 131 310', 'unopened 142 320']))
    expect(table[0]).toContain('| happened | 131 | 310 |')
  })
})

it('rows of a group without rules between them are rows of the table', async () => {
  const [left, right] = [60, 480]
  const operators = [
    ...[720, 700, 600].map((y) => `${left} ${y} m ${right} ${y} l S`),
    ...[left, 140, 320, right].map((x) => `${x} 720 m ${x} 600 l S`),
  ].join('\n')
  const at = (x: number, y: number, text: string): Line => ({ text, x, y, size: 9 })
  const lines = [
    ...['Source', 'Definition', 'Examples'].map((name, index) => at([64, 144, 324][index] as number, 706, name)),
    at(64, 686, 'Standing:'),
    at(80, 664, 'Great'),
    ...column('Smoke of ten carts a year of one sort of coal', 144, 664, 11, 34),
    at(324, 664, 'Smelters, brick kilns'),
    at(80, 632, 'Small'),
    ...column('Smoke of fewer than ten carts a year of one sort', 144, 632, 11, 34),
    at(324, 632, 'Bakers, smithies'),
  ]
  expect(await texts(lines, operators)).toEqual([
    [
      '| Source | Definition | Examples |',
      '| --- | --- | --- |',
      '| Standing: |  |  |',
      '| Great | Smoke of ten carts a year of one sort of coal | Smelters, brick kilns |',
      '| Small | Smoke of fewer than ten carts a year of one sort | Bakers, smithies |',
    ].join('\n'),
  ])
})

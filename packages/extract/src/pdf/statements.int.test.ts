import { describe, expect, it } from 'vitest'
import { readFile, texts as textsIn } from '../read-file.fixture.ts'
import { maxBlockUnits } from '../shared/block-writer.ts'
import { type PdfPage, writePdf } from './pdf.fixture.ts'

type Line = Exclude<NonNullable<PdfPage['lines']>[number], string>

const texts = async (...pages: readonly PdfPage[]): Promise<string[]> =>
  textsIn(await readFile('pdf', writePdf({ pages }), { ocr: false }))
const at = (x: number, y: number, text: string, size = 10): Line => ({ text, x, y, size })
/** Returns lines of a statement from the top; each line has a label and values in two columns. */
const lines = (rows: readonly (readonly string[])[], { top = 700, step = 16, xs = [72, 300, 400] } = {}): Line[] =>
  rows.flatMap((row, r) => row.flatMap((text, c) => (text === '' ? [] : [at(xs[c] as number, top - r * step, text)])))
const rowsOf = (text: string | undefined) => (text ?? '').split('\n').filter((line) => !line.includes('---'))

describe('schedules of several years', () => {
  const xs = [72, 290, 318, 350, 384, 410, 436, 475, 506]
  /** Returns a year: its label between the lines of smaller, centered names, and rows of signs and numbers. */
  const year = (name: string, top: number, rows: readonly (readonly string[])[]): Line[] => [
    at(299, top, 'Balance at', 7),
    at(412, top, 'Net deductions', 7),
    at(478, top, 'Balance at end', 7),
    at(72, top - 4, name, 9),
    at(286, top - 8, 'beginning of period', 7),
    at(360, top - 8, 'Additions', 7),
    at(420, top - 8, 'and other', 7),
    at(486, top - 8, 'of period', 7),
    ...lines(
      rows.map(([label = '', ...values]) => [
        label,
        ...values.flatMap((value) => (value === '' ? ['', ''] : ['$', value])),
      ]),
      { top: top - 24, step: 12, xs },
    ),
  ]
  it('have their labels in the rows of their numbers, and whole names of columns', async () => {
    const drawn = [
      ...year('Year ended December 31, 2018', 700, [
        ['Doubtful accounts and allowances', '60', '4', '', '64'],
        ['Deferred tax allowance', '456', '17', '156', '317'],
      ]),
      ...year('Year ended December 31, 2017', 638, [
        ['Doubtful accounts and allowances', '59', '1', '', '60'],
        ['Deferred tax allowance', '270', '241', '55', '456'],
        ['Reserves for accrued costs', '5', '', '5', ''],
      ]),
    ]
    const text = (await texts({ lines: drawn.toSorted((a, b) => b.y - a.y || a.x - b.x) })).join('\n')
    expect(text).toContain('| Doubtful accounts and allowances | $ 60 | $ 4 |  | $ 64 |')
    expect(text).toContain(
      '| Balance at beginning of period | Additions | Net deductions and other | Balance at end of period |',
    )
    expect(text).toContain('| Deferred tax allowance | $ 270 | $ 241 | $ 55 | $ 456 |')
  })
})

describe('rows of a statement', () => {
  const header = ['', '2024', '2023']

  it('have their whole label, whether the values are beside its first or last line, or between its lines', async () => {
    const below = [
      ...lines([header, ['Sales', '1,200', '1,100'], ['Costs', '900', '850']]),
      at(72, 652, 'Share of the result of'),
      at(72, 640, 'Companies not consolidated,'),
      ...lines(
        [
          ['Net of tax', '12', '(3)'],
          ['Total', '312', '247'],
        ],
        { top: 628 },
      ),
    ]
    const row = '| Share of the result of Companies not consolidated, Net of tax | 12 | (3) |'
    expect(rowsOf((await texts({ lines: below }))[0])[3]).toBe(row)
    const above = [
      ...lines([header, ['Sales', '1,200', '1,100'], ['Costs', '900', '850'], ['Share of the result of', '12', '(3)']]),
      at(72, 640, 'Companies not consolidated,'),
      at(72, 628, 'Net of tax'),
      ...lines([['Total', '312', '247']], { top: 612 }),
    ]
    expect(rowsOf((await texts({ lines: above }))[0])[3]).toBe(row)
    const between = [
      ...lines([header, ['Sales', '1,200', '1,100'], ['Costs', '900', '850']], { step: 20 }),
      at(72, 640, 'Share of the result of'),
      ...lines([['', '12', '(3)']], { top: 634 }),
      at(72, 628, 'Companies not consolidated'),
      ...lines([['Total', '312', '247']], { top: 608 }),
    ]
    expect(rowsOf((await texts({ lines: between }))[0])[3]).toBe(
      '| Share of the result of Companies not consolidated | 12 | (3) |',
    )
  })

  it('keep labels of sections as rows of their own', async () => {
    const [table] = await texts({
      lines: lines([
        header,
        ['Current assets:', '', ''],
        ['Cash', '1,200', '1,100'],
        ['Equity', '', ''],
        ['Shares', '9', '8'],
      ]),
    })
    expect(rowsOf(table)).toEqual([
      '|  | 2024 | 2023 |',
      '| Current assets: |  |  |',
      '| Cash | 1,200 | 1,100 |',
      '| Equity |  |  |',
      '| Shares | 9 | 8 |',
    ])
  })

  it('may have dots between label and values, unlike entries of a table of contents', async () => {
    const dots = '.'.repeat(60)
    const [table] = await texts({
      lines: lines([
        header,
        [`Cash ${dots}`, '$ 1,200', '17'],
        [`Debt ${dots}`, '(34)', '9'],
        [`Equity ${dots}`, '12', '40'],
      ]),
    })
    expect(rowsOf(table)).toEqual([
      '|  | 2024 | 2023 |',
      '| Cash | $ 1,200 | 17 |',
      '| Debt | (34) | 9 |',
      '| Equity | 12 | 40 |',
    ])
  })

  it('may be shaded', async () => {
    const rows = [
      header,
      ['Cash', '1,200', '1,100'],
      ['Debt', '34', '9'],
      ['Equity', '12', '40'],
      ['Total', '46', '49'],
    ]
    // Draws two boxes behind every second row: one for the label, one for the values.
    const operators = [679, 647].flatMap((y) => [`0.9 g 70 ${y} 225 15 re f`, `295 ${y} 180 15 re f`]).join('\n')
    const [table] = await texts({ operators: `${operators}\n0 g`, lines: lines(rows) })
    expect(rowsOf(table)).toEqual(rows.map((row) => `| ${row.join(' | ')} |`))
  })

  it('are separate for two tables side by side', async () => {
    const side = (x: number) =>
      lines(
        [
          ['', '2024', '2023'],
          ['Cash', '1,200', '1,100'],
          ['Debt', '34', '9'],
          ['Equity', '12', '40'],
        ],
        {
          xs: [x, x + 110, x + 170],
        },
      )
    const read = await texts({ lines: [...side(60), ...side(320)] })
    expect(read).toHaveLength(2)
    expect(rowsOf(read[0])).toEqual(rowsOf(read[1]))
    expect(rowsOf(read[0])[1]).toBe('| Cash | 1,200 | 1,100 |')
  })

  it('have signs in columns of their own with their number, also between rules', async () => {
    const xs = [70, 200, 260, 280, 340, 360]
    const operators = [720, 700, 680, 660]
      .map((y) => `70 ${y} m 360 ${y} l S`)
      .concat(xs.map((x) => `${x} 720 m ${x} 660 l S`))
      .join('\n')
    const rows = [
      ['', '2024', '', '2023', ''],
      ['Cash', '(34', ')', '40', ''],
      ['Debt', '12', '', '(9', ')'],
    ]
    const [table] = await texts({
      operators,
      lines: lines(rows, { top: 706, step: 20, xs: xs.map((x) => x + 4) }),
    })
    expect(rowsOf(table)).toEqual(['|  | 2024 | 2023 |', '| Cash | (34) | 40 |', '| Debt | 12 | (9) |'])
  })
})

describe('names of columns', () => {
  const over = (rows: number) => [
    at(310, 720, 'Year ended December 31,'),
    ...lines(
      [
        ['', '2024', '2023'],
        ...Array.from({ length: rows }, (_, index) => [`Orchard of place ${index}`, `${index}1`, `${index}2`]),
      ],
      {
        xs: [72, 320, 400],
        top: 706,
        step: 13,
      },
    ),
  ]

  it('may span several columns and lines', async () => {
    expect(rowsOf((await texts({ lines: over(3) }))[0]).slice(0, 3)).toEqual([
      '|  | Year ended December 31, | Year ended December 31, |',
      '|  | 2024 | 2023 |',
      '| Orchard of place 0 | 01 | 02 |',
    ])
    const wrapped = [
      at(200, 720, 'Sample'),
      at(300, 720, 'Share of'),
      at(72, 714, 'Country'),
      at(200, 708, 'size'),
      at(300, 708, 'the whole'),
      ...lines(
        [
          ['Latvia', '12', '1.5'],
          ['Malta', '9', '0.3'],
          ['Poland', '7', '22'],
        ],
        { top: 688, xs: [72, 200, 300] },
      ),
    ]
    expect(rowsOf((await texts({ lines: wrapped }))[0])[0]).toBe('| Country | Sample size | Share of the whole |')
  })

  it('are one row in a table that is longer than a chunk', async () => {
    const [first, ...more] = rowsOf((await texts({ lines: over(50) }))[0])
    expect(first).toBe('|  | Year ended December 31, 2024 | Year ended December 31, 2023 |')
    expect(more[0]).toBe('| Orchard of place 0 | 01 | 02 |')
  })

  it('are in each part of a table that is longer than a block', async () => {
    const long = 'orchard '.repeat(40).trim()
    const rows = Array.from({ length: 240 }, (_, index) => [`${long} ${index}`, `${index}`, '7'])
    const page: PdfPage = {
      size: [3000, 5000],
      lines: lines([['Place', 'Units', 'Income'], ...rows], { top: 4900, xs: [72, 2000, 2200] }),
    }
    const read = await texts(page)
    expect(read.length).toBeGreaterThan(1)
    for (const text of read) {
      expect(text.length).toBeLessThanOrEqual(maxBlockUnits)
      expect(text.split('\n').slice(0, 2)).toEqual(['| Place | Units | Income |', '| --- | --- | --- |'])
    }
    expect(read.flatMap((text) => rowsOf(text).slice(1))).toHaveLength(240)
  })
})

describe('a chart', () => {
  it('is not a table, although the numbers of its axis are beside names', async () => {
    const axis = ['400', '300', '200', '100', '0'].map((text, index) =>
      at(90 - text.length * 5, 700 - index * 20, text),
    )
    const chart = [
      ...axis,
      at(150, 690, 'North'),
      at(210, 690, 'South'),
      at(150, 668, 'East'),
      at(210, 668, 'West'),
      at(90, 606, 'Jan'),
      at(150, 606, 'Feb'),
      at(210, 606, 'Mar'),
    ]
    expect((await texts({ lines: chart })).join('\n')).not.toContain('|')
  })
})

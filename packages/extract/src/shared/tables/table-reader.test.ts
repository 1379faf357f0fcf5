import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnLetters } from '../../xlsx/sheet.ts'
import { type TableOptions, TableReader } from './table-reader.ts'
import type { TableRow } from './table-row.ts'

/**
 * Parses rows of cells separated by `|`. A cell that ends with `>2` spans two more columns; an empty line is an empty
 * row.
 */
const rowsOf = (lines: readonly string[]): TableRow[] =>
  lines.flatMap((line, index) => {
    const cells = new Map<number, string>()
    const spans = new Map<number, number>()
    for (const [column, cell] of line.split('|').entries()) {
      const [, text = '', more] = /^(.*?)(?:>(\d))?$/.exec(cell.trim()) ?? []
      if (text !== '') cells.set(column, text)
      if (more) spans.set(column, column + Number(more))
    }
    return cells.size === 0 ? [] : [{ row: index + 1, cells, ...(spans.size > 0 ? { spans } : {}) }]
  })

const itemsOf = (rows: Iterable<TableRow>, options: Partial<TableOptions> = {}) => {
  const reader = new TableReader({ letters: columnLetters, level: 2, outer: 'Sheet', ...options })
  return [...Array.from(rows, (row) => reader.add(row)).flat(), ...reader.end()]
}

const read = (lines: readonly string[], options: Partial<TableOptions> = {}): string[] =>
  itemsOf(rowsOf(lines), options).map(({ kind, level, text }) => {
    const one = text.replaceAll('\n', '; ')
    return kind === 'heading' ? `${'#'.repeat(level ?? 0)} ${one}` : kind === 'text' ? `(${one})` : one
  })

describe('text above a table', () => {
  it.each([
    ['a title', ['Ducks per year', 'Year|Ducks', '2019|120'], ['## Ducks per year', 'Year: 2019; Ducks: 120']],
    [
      'a title over all columns',
      ['Members>2', 'Name|City|Born', 'Ann|Rome|1990'],
      ['## Members', 'Name: Ann; City: Rome; Born: 1990'],
    ],
    [
      'a title and a note, an empty row and an offset',
      ['', '|Harvest', '|All figures are kilograms, weighed at the gate.', '', '|Code|Kg', '|T-01|3'],
      ['## Harvest', '(All figures are kilograms, weighed at the gate.)', 'Code: T-01; Kg: 3'],
    ],
    [
      'a title and a date in one row',
      ['Sales|||2024-05-01', 'Region|Product|Units|Price', 'North|Pears|1|2'],
      ['## Sales: 2024-05-01', 'Region: North; Product: Pears; Units: 1; Price: 2'],
    ],
    [
      'the titles of a report and of a table',
      ['Annual report', '', 'Sales', 'Month|Units', 'May|3'],
      ['## Annual report', '### Sales', 'Month: May; Units: 3'],
    ],
  ])('is not a column name: %s', (_, lines, expected) => {
    expect(read(lines)).toEqual(expected)
  })

  it('ends at the next table, which gets the name of the sheet', () => {
    expect(read(['Fruit', 'Name|Kg', 'Pear|1', '', 'Tool|Owner', 'Saw|Ann'])).toEqual([
      '## Fruit',
      'Name: Pear; Kg: 1',
      '# Sheet',
      'Tool: Saw; Owner: Ann',
    ])
  })
})

describe('column names', () => {
  it.each([
    [
      'of two levels',
      ['Orchard|2023>1||2024>1|', '|Plan|Real|Plan|Real', 'North|10|11|12|9'],
      'Orchard: North; 2023 Plan: 10; 2023 Real: 11; 2024 Plan: 12; 2024 Real: 9',
    ],
    [
      'of two levels without merged cells',
      ['Orchard|2023||2024|', '|Plan|Real|Plan|Real', 'North|10|11|12|9'],
      'Orchard: North; 2023 Plan: 10; 2023 Real: 11; 2024 Plan: 12; 2024 Real: 9',
    ],
    [
      'of two levels, the upper one over some columns',
      ['|Plan>1||Real>1|', 'Orchard|2023|2024|2023|2024', 'North|10|11|12|9'],
      'Orchard: North; Plan 2023: 10; Plan 2024: 11; Real 2023: 12; Real 2024: 9',
    ],
    [
      'of two levels below a title',
      ['Harvest>4', 'Orchard|2023>1||2024>1|', '|Plan|Real|Plan|Real', 'North|10|11|12|9'],
      'Orchard: North; 2023 Plan: 10; 2023 Real: 11; 2024 Plan: 12; 2024 Real: 9',
    ],
    [
      'in two lines',
      ['Profile|Percent|Number', '|of class|of people', 'Asked|93%|532'],
      'Profile: Asked; Percent of class: 93%; Number of people: 532',
    ],
    [
      'in three lines',
      [
        '|Percent|Number|Median',
        'Function|of Hires|of Hires|Monthly',
        '|||Salary',
        'Sales|3%|4|$900',
        'Tax|3%|4|too few',
        'Law|3%|4|$800',
        'IT|3%|4|$90',
      ],
      'Function: IT; Percent of Hires: 3%; Number of Hires: 4; Median Monthly Salary: $90',
    ],
    ['with units below', ['time|wind', 's|m/s', '1|3', '2|4'], 'time s: 2; wind m/s: 4'],
    ['that are dates', ['Tree|2024-01-01|2024-02-01', 'Pear|1|2'], 'Tree: Pear; 2024-01-01: 1; 2024-02-01: 2'],
    ['that are days', ['Name|1|2|3', 'Ann|8|8|0'], 'Name: Ann; 1: 8; 2: 8; 3: 0'],
    ['above an empty row', ['Number|Square', '', '2|4'], 'Number: 2; Square: 4'],
    [
      'in three lines above one record',
      [
        'Region|Percent|Number|Median',
        '|of hires|of hires|Monthly',
        '|||Salary',
        'North|3%|45|7550',
        '',
        'South|4%|5|9',
      ],
      'Region: South; Percent of hires: 4%; Number of hires: 5; Median Monthly Salary: 9',
    ],
    [
      'in two lines above an empty row',
      ['Field|Area|Yield', '|ha|t', '', 'North|3|4.5'],
      'Field: North; Area ha: 3; Yield t: 4.5',
    ],
    ['that are years above an empty row', ['Field|2022|2023', '', 'North|3|4.5'], 'Field: North; 2022: 3; 2023: 4.5'],
    [
      'above a value that is missing',
      ['Region|Number|Share|Salary', 'North|3|4%|5', '', 'South|1|2%|too few', 'East|1|2%|3'],
      'Region: East; Number: 1; Share: 2%; Salary: 3',
    ],
  ])('are found: %s', (_, lines, expected) => {
    expect(read(lines).at(-1)).toBe(expected)
  })

  it.each([
    ['of numbers', ['1|one', '2|two'], ['1 | one', '2 | two']],
    [
      'of texts',
      ['Ann|Riverton|red', 'Bob|Lakeside|blue', 'Cid|Hilltop|green'],
      ['Ann | Riverton | red', 'Bob | Lakeside | blue', 'Cid | Hilltop | green'],
    ],
    ['with a total first', ['TOTAL|100%|543', 'North|of all|about'], ['TOTAL | 100% | 543', 'North | of all | about']],
    ['of equal rows', ['Name|City', 'Name|City'], ['Name | City', 'Name | City']],
    ['of dates', ['2024-05-01|open', '2024-05-02|closed'], ['2024-05-01 | open', '2024-05-02 | closed']],
    ['of texts that recur', ['Plum|sweet', 'Sloe|sour', 'Pear|sweet'], ['Plum | sweet', 'Sloe | sour', 'Pear | sweet']],
  ])('are not made of values: %s', (_, lines, expected) => {
    expect(read(lines)).toEqual(expected)
  })

  it('apply to the tables of sections without names of their own', () => {
    const fruit = ['Fruit', 'Pear|3|4.5', 'Plum|5|2', '']
    const tools = ['Tools', 'Saw|1|20']
    const expected = [
      '## Fruit',
      'Name: Pear; Qty: 3; Price: 4.5',
      'Name: Plum; Qty: 5; Price: 2',
      '## Tools',
      'Name: Saw; Qty: 1; Price: 20',
    ]
    expect(read(['Name|Qty|Price', '', ...fruit, ...tools])).toEqual(expected)
    expect(read([...fruit.slice(0, 1), 'Name|Qty|Price', ...fruit.slice(1), ...tools])).toEqual(expected)
    expect(read(['Name|Qty|Price', '', 'Totals', 'Pear|3'])).toEqual(['Name | Qty | Price', '## Totals', 'Pear: 3'])
    expect(read(['Ann|Rome|red', '', 'Others', 'Bob|Pisa|blue'])).toEqual([
      'Ann | Rome | red',
      '## Others',
      'Bob | Pisa | blue',
    ])
  })

  it('are text if no rows follow', () => {
    const hints = [{ fromRow: 1, toRow: 2, fromColumn: 0, toColumn: 1, headerRows: 1 }]
    expect(read(['red|blue'], { hints })).toEqual(['red | blue'])
    expect(read(['red|blue', 'red|blue'], { hints })).toEqual(['red | blue', 'red | blue'])
  })

  it('are not repeated where a printed page begins', () => {
    expect(read(['Name|Kg', 'Pear|1', 'Name|Kg', 'Plum|2'])).toEqual(['Name: Pear; Kg: 1', 'Name: Plum; Kg: 2'])
  })
})

describe('forms', () => {
  it.each([
    ['of labels and values', ['Name|Ann Moor', 'Member since|2009', 'Plot|14B', 'Phone|555-0123']],
    ['of texts alone', ['Name|Ann Moor', 'City|Riverton', 'Job|Baker']],
    ['of numbers', ['New members|250', 'Share|92%']],
    ['with an empty column', ['Name||Ann', 'Member since||2009', 'Plot||14B']],
  ])('are read as label and value: %s', (_, lines) => {
    expect(read(lines)).toEqual(lines.map((line) => line.replace(/\|+/, ': ')))
  })

  it('have several pairs in a row if labels end with colons', () => {
    expect(read(['Name:|Ann|Phone:|555', 'City:|Rome||'])).toEqual(['Name: Ann; Phone: 555', 'City: Rome'])
  })
})

describe('several tables', () => {
  const fruit = ['Fruit: Pear; Kg: 10', 'Fruit: Plum; Kg: 20']
  it.each([
    [
      'one below another',
      ['Fruit|Kg', 'Pear|10', 'Plum|20', '', 'Shed|Keeper', 'East|Ann'],
      [...fruit, 'Shed: East; Keeper: Ann'],
    ],
    [
      'side by side',
      ['Fruit|Kg|||Tool|Owner', 'Pear|10|||Saw|Ann', 'Plum|20|||Hoe|Bob'],
      [...fruit, 'Tool: Saw; Owner: Ann', 'Tool: Hoe; Owner: Bob'],
    ],
    [
      'side by side, with titles and different lengths',
      ['Fruits|||Tools', 'Fruit|Kg||Tool|Owner', 'Pear|10||Saw|Ann', 'Plum|20', 'Fig|30'],
      ['## Fruits', ...fruit, 'Fruit: Fig; Kg: 30', '## Tools', 'Tool: Saw; Owner: Ann'],
    ],
    [
      'a table and a remark',
      ['Fruit|Kg||Ask Ann about it', 'Pear|10||', 'Plum|20||'],
      [...fruit, '(Ask Ann about it)'],
    ],
  ])('are read apart: %s', (_, lines, expected) => {
    expect(read(lines)).toEqual(expected)
  })

  it.each([
    ['an empty row', ['Fruit|Kg', 'Pear|10', '', 'Plum|20'], fruit],
    ['an empty column', ['Item|Jan||Feb|Mar', 'Pear|1||2|3'], ['Item: Pear; Jan: 1; Feb: 2; Mar: 3']],
    ['a section in one cell', ['Item|Qty', 'Fruit>1', 'Pear|1'], ['Fruit', 'Item: Pear; Qty: 1']],
    [
      'a note below',
      ['Item|Qty', 'Pear|1', '* Source: the office,', 'of May'],
      ['Item: Pear; Qty: 1', '* Source: the office,', 'of May'],
    ],
  ])('are not made of one: %s', (_, lines, expected) => {
    expect(read(lines)).toEqual(expected)
  })

  it('are separated by the ranges that the file declares', () => {
    const hint = { fromRow: 1, toRow: 2, fromColumn: 0, toColumn: 1, headerRows: 1 }
    const hints = [hint, { ...hint, fromColumn: 2, toColumn: 3 }]
    expect(read(['a|b|c|d', 'x|y|z|w'], { hints })).toEqual(['a: x; b: y', 'c: z; d: w'])
    expect(read(['Name|City', 'Ann|Rome'], { hints: [{ ...hint, headerRows: 0 }] })).toEqual([
      'Name | City',
      'Ann | Rome',
    ])
    expect(read(['Of May', 'red|blue', 'a|b', 'c|d'], { frozenRow: 2 })).toEqual([
      '## Of May',
      'red: a; blue: b',
      'red: c; blue: d',
    ])
  })

  it('of any length are read with few rows held', () => {
    const reader = new TableReader({ letters: columnLetters, level: 2 })
    let behind = 0
    let written = 0
    for (let row = 1; row <= 5_000; row++) {
      const cells = row === 1 ? ['Fruit', 'Kg', 'Tool', 'Owner'] : [`f${row}x`, `${row}`, `t${row}x`, 'Ann']
      written += reader.add({
        row,
        cells: new Map(cells.map((cell, index) => [index < 2 ? index : index + 1, cell])),
      }).length
      behind = Math.max(behind, 2 * row - written)
    }
    written += reader.end().length
    expect(written).toBe(2 * 4_999)
    expect(behind).toBeLessThan(110)
  })
})

it('repeats the first field of a long record in its header', () => {
  const [item] = itemsOf(rowsOf(['id|essay', `7|${'word '.repeat(400)}`]))
  expect(item?.header).toBe('id | essay\nid: 7')
})

it('reads lines of one column as text, or as a list with its name', () => {
  expect(read(['Made by Ann.', 'It lists all tools.'])).toEqual(['(Made by Ann.; It lists all tools.)'])
  expect(read(['Codes', '123', '456'])).toEqual(['Codes: 123', 'Codes: 456'])
  expect(read(['Hires by source', '2024-05-01'])).toEqual(['(Hires by source; 2024-05-01)'])
  expect(read(['email', 'ann@example.org'], { isList: true })).toEqual(['email: ann@example.org'])
  expect(read(['Ann', 'Bob', 'Cid'], { isList: true })).toEqual(['Ann', 'Bob', 'Cid'])
  expect(read(['Ann', 'Bob', 'Cid', 'Dan'])).toEqual(['(Ann; Bob; Cid; Dan)'])
})

describe('for any rows', () => {
  const anyCell = fc
    .constantFrom('name', 'Label:', 'a note of many words about it all', '12', '1990', 'T-01', '2024-01-31', '')
    .map((text) => ({ text }))
  const anyRows = fc.array(fc.array(anyCell, { maxLength: 7 }), { maxLength: 14 })
  const anyHint = fc.record({
    fromRow: fc.integer({ min: 1, max: 5 }),
    toRow: fc.integer({ min: 3, max: 14 }),
    fromColumn: fc.nat(3),
    toColumn: fc.integer({ min: 2, max: 6 }),
    headerRows: fc.nat(1),
  })
  const anyOptions = fc.record(
    {
      isList: fc.boolean(),
      isRecords: fc.boolean(),
      hints: fc.array(anyHint, { maxLength: 2 }),
      filterRow: fc.nat(9),
      frozenRow: fc.nat(9),
    },
    { requiredKeys: [] },
  )

  it('emits each cell in the text or the column names of a row', () => {
    fc.assert(
      fc.property(anyRows, anyOptions, fc.nat(40), (cells, options, span) => {
        let count = 0
        const rows = cells.flatMap((fields, index): TableRow[] => {
          const own = fields.flatMap(({ text }, column) => (text ? [[column, `${count++}x${text}`] as const] : []))
          const spans = new Map(own.flatMap(([column]) => (span === count % 41 ? [[column, column + 2] as const] : [])))
          return own.length === 0 ? [] : [{ row: index + 1, cells: new Map(own), spans }]
        })
        const read = itemsOf(rows, options)
          .map(({ text, header = '' }) => `${header}\n${text}`)
          .join('\n')
        const all = rows.flatMap((row) => [...row.cells.values()])
        expect(all.filter((cell) => !read.includes(cell.replace(/:$/, '')))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })
})

it('says where the cells of a row stand in its text', () => {
  const cellsOf = (lines: readonly string[]) =>
    itemsOf(rowsOf(lines)).flatMap(({ text, places = [] }) =>
      places.map(({ start, end, x0, x1, y0, y1 }) => [text.slice(start, end), x0, x1 - x0, y0, y1]),
    )
  expect(cellsOf(['Name|City|Born', 'Ann||1990', 'Ben|Rome|1991'])).toEqual([
    ['Name: Ann', 0, 0, 0, 0],
    ['Born: 1990', 2, 0, 0, 0],
    ['Name: Ben', 0, 0, 0, 0],
    ['City: Rome', 1, 0, 0, 0],
    ['Born: 1991', 2, 0, 0, 0],
  ])
  expect(cellsOf(['1|2', '3|4', '5|6']).slice(0, 2)).toEqual([
    ['1', 0, 0, 0, 0],
    ['2', 1, 0, 0, 0],
  ])
})

import { unzip } from '@cairn/testing/material/zip-reader'
import { zip } from '@cairn/testing/material/zip-writer'
import { describe, expect, it } from 'vitest'
import { readFile, textRow, texts, xlsx } from '../read-file.fixture.ts'
import { cellAddress, columnLetters } from './sheet.ts'

const data = (...rows: string[]): string => `<sheetData>${rows.join('')}</sheetData>`
const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.0&quot; kg&quot;"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="166" formatCode="[h]:mm"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${[0, 14, 165, 164, 20, 9, 166, 4].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`

it('reads every sheet in order, rows with the names of their columns and their numbers', async () => {
  const file = xlsx(
    {
      People: `<dimension ref="A1:XFD1048576"/>${data('<row r="1"/>', '<row r="3"><c r="B3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c></row>', '<row r="5"><c r="B5" t="inlineStr"><is><r><t>An</t></r><r><t>n</t></r><rPh><t>no</t></rPh></is></c><c r="C5"><v>42</v></c><c r="E5" t="b"><v>1</v></c></row>')}`,
      Empty: data(),
      More: data(textRow(1, 'x', 'y'), textRow(2, '=cmd|calc', '1')),
    },
    {
      'xl/sharedStrings.xml':
        '<sst><si><t>Name</t></si><si><r><t>A</t></r><r><t xml:space="preserve">ge &amp; _x0041_</t></r></si></sst>',
    },
  )
  const places = expect.any(String)
  expect((await readFile('xlsx', file)).blocks).toEqual([
    { seq: 0, kind: 'heading', level: 1, text: 'People', at: { sheet: 'People' } },
    {
      seq: 1,
      kind: 'row',
      text: 'Name: Ann\nAge & A: 42\nE: TRUE',
      header: 'Name | Age & A',
      at: { sheet: 'People', rows: { from: 5, to: 5 } },
      places,
    },
    { seq: 2, kind: 'heading', level: 1, text: 'More', at: { sheet: 'More' } },
    {
      seq: 3,
      kind: 'row',
      text: 'x: =cmd|calc\ny: 1',
      header: 'x | y',
      at: { sheet: 'More', rows: { from: 2, to: 2 } },
      places,
    },
  ])
})

const shown = async (cells: string, workbook = '') => {
  const parts = { 'xl/styles.xml': styles, ...(workbook ? { 'xl/workbook.xml': workbook } : {}) }
  const { blocks } = await readFile(
    'xlsx',
    xlsx({ S: data(textRow(1, ...'abcdefgh'), `<row r="2">${cells}</row>`) }, parts),
  )
  return blocks[1]?.text.split('\n').map((line) => line.slice(line.indexOf(': ') + 2))
}

it('formats numbers like the sheet, dates as ISO 8601, and reads the stored results of formulas', async () => {
  const values = [
    [1, 45322],
    [2, 45322.5625],
    [3, 71.25],
    [4, 0.5],
    [5, 0.256],
    [6, 1.5],
    [7, 1234567.891],
    [0, 0.1],
  ]
  const cells = values.map(([style, value]) => `<c s="${style}"><f>SUM(A1)</f><v>${value}</v></c>`).join('')
  expect(await shown(cells)).toEqual([
    '2024-01-31',
    '2024-01-31T13:30:00',
    '71.3 kg',
    '12:00:00',
    '26%',
    '36:00',
    '1,234,567.89',
    '0.1',
  ])
  expect(
    await shown(
      '<c t="str"><f>A1</f><v>text</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2024-02-03T00:00:00Z</v></c><c s="1"><v>99999999</v></c>',
    ),
  ).toEqual(['text', '#N/A', '2024-02-03', '99999999'])
})

it('counts days from 1904 if the workbook does', async () => {
  const workbook =
    '<workbook xmlns:r="x"><workbookPr date1904="1"/><sheets><sheet name="S" r:id="s0"/></sheets></workbook>'
  expect(await shown('<c s="1"><v>0</v></c>', workbook)).toEqual(['1904-01-01'])
})

it('repeats the value of a merged cell in each of its rows and columns', async () => {
  const rows = data(
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Group</t></is></c><c r="B1" t="inlineStr"><is><t>Sum</t></is></c></row>',
    textRow(2, 'one', '1', '2'),
    '<row r="3"><c r="B3"><v>3</v></c></row>',
    '<row r="4"><c r="B4"><v>4</v></c></row>',
  )
  const merged =
    '<mergeCells count="3"><mergeCell ref="B1:C1"/><mergeCell ref="A2:A3"/><mergeCell ref="A1:XFE9"/></mergeCells>'
  expect(texts(await readFile('xlsx', xlsx({ S: rows + merged }))).slice(1)).toEqual([
    'Group: one\nSum: 1\nSum: 2',
    'Group: one\nSum: 3',
    'Sum: 4',
  ])
})

describe('a hostile workbook', () => {
  it('with its only cell at the last address is read as one cell', async () => {
    const sheet = `<dimension ref="A1:XFD1048576"/>${data('<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>far</t></is></c></row>')}`
    expect((await readFile('xlsx', xlsx({ S: sheet }))).blocks[1]).toMatchObject({
      text: 'far',
      at: { rows: { from: 1048576, to: 1048576 } },
    })
  })

  it('with cells at invalid addresses counts rows and columns itself', async () => {
    const sheet = data(
      '<row r="99999999"><c r="ZZZ1" t="inlineStr"><is><t>a</t></is></c><c r="__proto__" t="s"><v>__proto__</v></c><c t="s"><v>-1</v></c><c><v>NaN</v></c></row>',
      textRow(2, 'b'),
    )
    expect(texts(await readFile('xlsx', xlsx({ S: sheet })))).toEqual(['S', expect.stringContaining('b')])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('with names of built-in properties is read like another', async () => {
    const sheet = data(textRow(1, '__proto__', 'constructor'), textRow(2, 'x', 'y'))
    const comments = {
      'xl/comments1.xml':
        '<comments><commentList><comment ref="__proto__"><text><t>z</t></text></comment></commentList></comments>',
    }
    expect(texts(await readFile('xlsx', xlsx({ S: sheet }, comments)))[1]).toBe('__proto__: x\nconstructor: y')
  })

  it('with merged cells over everything is not filled', async () => {
    const sheet = `${data(textRow(1, 'a', 'b'), textRow(2, 'c'))}<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(500)}</mergeCells>`
    const { blocks } = await readFile('xlsx', xlsx({ S: sheet }))
    expect(blocks[1]?.text).toBe('a: c')
  })

  it.each(['xl/sharedStrings.xml', 'xl/worksheets/sheet0.xml', 'xl/_rels/workbook.xml.rels'])(
    'with a document type in %s is refused',
    async (part) => {
      const entity = '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;">]><sst><si><t>&b;</t></si></sst>'
      expect(await readFile('xlsx', xlsx({ S: data(textRow(1, 'a')) }, { [part]: entity }))).toMatchObject({
        blocks: [],
        failure: 'damaged',
      })
    },
  )

  it('with links to other files does not read them', async () => {
    const parts = {
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="s0" Type="x/worksheet" Target="file:///etc/hostname" TargetMode="External"/></Relationships>',
    }
    expect((await readFile('xlsx', xlsx({ S: data(textRow(1, 'a')) }, parts))).failure).toBe('no_text')
  })
})

it('notes a missing sheet, and fails with damaged if all are missing', async () => {
  const two = { A: data(textRow(1, 'kept')), B: data(textRow(1, 'lost')) }
  const without = (sheets: Readonly<Record<string, string>>, part: string) =>
    readFile('xlsx', zip(unzip(xlsx(sheets)).filter(({ name }) => name !== part)))
  const one = await without(two, 'xl/worksheets/sheet1.xml')
  expect(texts(one)).toEqual(['A', 'kept'])
  expect(one.events).toContainEqual({
    event: 'note',
    code: 'page_unreadable',
    message: 'Sheet "B" is missing in the file.',
    at: { sheet: 'B' },
  })
  expect(one.failure).toBeUndefined()
  expect((await without({ A: data(textRow(1, 'lost')) }, 'xl/worksheets/sheet0.xml')).failure).toBe('damaged')
  expect((await without(two, 'xl/_rels/workbook.xml.rels')).failure).toBe('damaged')
})

it('notes missing shared strings, and fails with damaged if all texts are missing', async () => {
  const asked = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
  const some = await readFile('xlsx', xlsx({ A: data(asked, textRow(2, 'kept')) }))
  expect(texts(some)).toEqual(['A', 'kept'])
  expect(some.notes).toEqual(['row_unreadable'])
  expect((await readFile('xlsx', xlsx({ A: data(asked) }))).failure).toBe('damaged')
})

it('fails with no_text for empty sheets, and reads a single row as text', async () => {
  expect((await readFile('xlsx', xlsx({ A: data(), B: data('<row><c/></row>') }))).failure).toBe('no_text')
  expect(texts(await readFile('xlsx', xlsx({ A: data(textRow(1, 'a', 'b')) })))).toEqual(['A', 'a | b'])
})

it('names columns by their letters', () => {
  expect([0, 25, 26, 701, 702, 16383].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD'])
  expect(cellAddress('XFD1048576')).toEqual({ row: 1048576, column: 16383 })
  expect(['XFE1', 'A0', 'A1048577', '1A', ''].map(cellAddress)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

const text = (value: string) => `<is><t>${value}</t></is>`
const relation = (kind: string, target: string) =>
  `<Relationships><Relationship Id="r1" Type="x/${kind}" Target="${target}"/></Relationships>`

it('keeps the digits of long numbers in the general format', async () => {
  const values = [
    '123456789012',
    '1234567890123456',
    '-98765432109876',
    '123456789012.5',
    '12345678901',
    '1E+25',
    '0.1',
  ]
  const cells = values.map((value) => `<c><v>${value}</v></c>`).join('')
  expect(await shown(cells)).toEqual([...values.slice(0, 5), '1E+25', '0.1'])
})

it('notes formulas without a stored result', async () => {
  const rows = data(
    textRow(1, 'item', 'sum'),
    '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>A2*2</f><v></v></c></row>',
    '<row r="3"><c r="A3"><v>2</v></c><c r="B3"><f>A3*2</f></c></row>',
    '<row r="4"><c r="A4"><v>3</v></c><c r="B4" t="str"><f>""</f><v></v></c></row>',
    '<row r="5"><c r="A5"><v>4</v></c><c r="B5"><f>A5*2</f><v>8</v></c></row>',
  )
  const found = await readFile('xlsx', xlsx({ S: rows }))
  expect(texts(found).slice(1)).toEqual(['item: 1', 'item: 2', 'item: 3', 'item: 4\nsum: 8'])
  expect(found.events).toContainEqual({
    event: 'note',
    code: 'formula_without_value',
    message:
      '2 cells have formulas whose result is not stored in the file: S!B2, S!B3. Open the file in a spreadsheet program, save it, and upload it again.',
  })
})

it('reads comments and text boxes with their cells, and notes other content', async () => {
  const rows = data(textRow(1, 'item', 'price'), textRow(2, 'pear', '3'))
  const target = (kind: string, path: string) => `<Relationship Id="${kind}" Type="x/${kind}" Target="../${path}"/>`
  const anchor = '<x:from><x:col>3</x:col><x:row>4</x:row></x:from><x:to><x:col>9</x:col><x:row>9</x:row></x:to>'
  const found = await readFile(
    'xlsx',
    xlsx(
      { S: rows },
      {
        'xl/worksheets/_rels/sheet0.xml.rels': `<Relationships>${target('comments', 'c.xml')}${target('threadedComment', 't.xml')}${target('drawing', 'd.xml')}</Relationships>`,
        'xl/c.xml': `<comments><commentList><comment ref="B2"><text><r><t>Ann: </t></r><r><t>too much</t></r></text></comment><comment ref="A2"><text><t>[Threaded comment] of another program</t></text></comment></commentList></comments>`,
        'xl/t.xml':
          '<ThreadedComments><threadedComment ref="A2"><text>Which kind?</text></threadedComment></ThreadedComments>',
        'xl/d.xml': `<x:wsDr xmlns:x="x" xmlns:a="a"><x:twoCellAnchor>${anchor}<x:sp><x:txBody><a:p><a:r><a:t>Gate</a:t></a:r></a:p><a:p><a:r><a:t>4411</a:t></a:r></a:p></x:txBody></x:sp></x:twoCellAnchor><x:twoCellAnchor>${anchor}<x:pic/></x:twoCellAnchor></x:wsDr>`,
      },
    ),
  )
  expect(texts(found).slice(2)).toEqual([
    'Comment on A2 (pear): Which kind?',
    'Comment on B2 (3): Ann: too much',
    'Text box at D5: Gate\n4411',
  ])
  expect(found.blocks.at(-1)?.at).toEqual({ sheet: 'S', rows: { from: 5, to: 5 } })
  expect(found.events).toContainEqual(
    expect.objectContaining({
      code: 'content_not_read',
      message: 'Sheet "S" has content that was not read: 1 picture.',
    }),
  )
})

it('reads hidden sheets, rows and columns, with a note', async () => {
  const rows = `<cols><col min="2" max="9" hidden="1"/></cols>${data(textRow(1, 'name', 'pay'), `<row r="2" hidden="1"><c t="inlineStr">${text('Ann')}</c><c><v>4</v></c></row>`)}`
  const workbook =
    '<workbook xmlns:r="x"><sheets><sheet name="A" r:id="s0"/><sheet name="B" state="veryHidden" r:id="s1"/></sheets></workbook>'
  const found = await readFile(
    'xlsx',
    xlsx({ A: rows, B: data(textRow(1, 'secret')) }, { 'xl/workbook.xml': workbook }),
  )
  expect(texts(found)).toEqual(['A', 'name: Ann\npay: 4', 'B', 'secret'])
  expect(found.events.flatMap((event) => (event.event === 'note' ? [event.message] : []))).toEqual([
    'Sheet "A" has 1 hidden row (2) and 1 hidden column (B); their text was read.',
    'Sheet "B" is hidden; its text was read.',
  ])
})

it('uses the ranges of tables, filters and frozen rows to find headers', async () => {
  const rows = [textRow(1, 'Of May', 'by Ann'), textRow(2, 'red', 'blue'), textRow(3, 'a', 'b')]
  const first = 'red: a\nblue: b'
  const filter = `${data(...rows)}<autoFilter ref="A2:B3"/>`
  const frozen = `<sheetViews><sheetView><pane ySplit="2" state="frozen"/></sheetView></sheetViews>${data(...rows)}`
  expect(texts(await readFile('xlsx', xlsx({ S: filter }))).slice(1)).toEqual(['Of May: by Ann', first])
  expect(texts(await readFile('xlsx', xlsx({ S: frozen }))).at(-1)).toBe(first)
  const table = {
    'xl/worksheets/_rels/sheet0.xml.rels': relation('table', '../tables/table1.xml'),
    'xl/tables/table1.xml': '<table ref="A2:B3" displayName="T"/>',
  }
  expect(texts(await readFile('xlsx', xlsx({ S: data(...rows) }, table))).at(-1)).toBe(first)
})

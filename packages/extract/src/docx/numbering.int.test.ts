import { describe, expect, it } from 'vitest'
import { texts } from '../read-file.fixture.ts'
import { blocksOf, cell, cellOf, paragraph, readDocx, row, style, stylesPart, table, word } from './docx.fixture.ts'

const level = (at: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`
const abstract = (id: number, ...levels: string[]): string =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join('')}</w:abstractNum>`
const num = (id: number, of: number, more = ''): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${more}</w:num>`
const numberingPart = (...all: string[]) => ({
  'word/numbering.xml': `<w:numbering ${word}>${all.join('')}</w:numbering>`,
})
const numbered = (list: number, at = 0): string =>
  `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`
const item = (text: string, list = 1, at = 0): string => paragraph(text, numbered(list, at))
const plain = numberingPart(abstract(0, level(0, 'decimal', '%1.'), level(1, 'decimal', '%1.%2')), num(1, 0))

/** Returns the labels of the items of a list with one level. */
const labels = async (format: string, start: number, count: number, text = '%1'): Promise<string[]> => {
  const list = numberingPart(
    `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl></w:abstractNum>`,
    num(1, 0),
  )
  const read = await readDocx(Array.from({ length: count }, () => item('x')).join(''), list)
  return texts(read)
    .join('\n')
    .split('\n')
    .map((line) => line.replace(/ ?x$/, ''))
}

it.each([
  ['decimal', 9, ['9', '10']],
  ['decimalZero', 9, ['09', '10']],
  ['upperRoman', 3, ['III', 'IV']],
  ['lowerRoman', 1994, ['1994', '1995']],
  ['lowerRoman', 499, ['cdxcix', 'd']],
  ['lowerLetter', 26, ['z', 'aa', 'bb']],
  ['upperLetter', 52, ['ZZ', 'AAA']],
  ['ordinal', 11, ['11th', '12th']],
  ['ordinal', 21, ['21st', '22nd', '23rd', '24th']],
  ['cardinalText', 20, ['Twenty', 'Twenty-one']],
  ['ordinalText', 12, ['Twelfth', 'Thirteenth']],
  ['ordinalText', 20, ['Twentieth', 'Twenty-first']],
  ['chineseCounting', 9, ['九', '十', '十一']],
  ['decimalEnclosedCircle', 20, ['⑳', '21']],
  ['numberInDash', 1, ['- 1 -']],
  ['a-format-of-later', 7, ['7']],
])('shows numbers in the format %s from %i on', async (format, start, expected) => {
  expect(await labels(format, start, expected.length)).toEqual(expected)
})

it('shows the text around numbers', async () => {
  expect(await labels('upperRoman', 1, 2, 'Article %1')).toEqual(['Article I', 'Article II'])
  expect(await labels('decimal', 1, 1, '第%1章')).toEqual(['第1章'])
})

it('continues counting after a paragraph, a table and other text', async () => {
  const body = [
    item('a'),
    item('a.a', 1, 1),
    paragraph('Between'),
    item('a.b', 1, 1),
    table(row(cell('T'), cellOf(item('in a cell')))),
    item('b.a', 1, 1),
  ]
  expect(texts(await readDocx(body.join(''), plain))).toEqual([
    '1. a\n  1.1 a.a',
    'Between',
    '  1.2 a.b',
    '| T | 2. in a cell |\n| --- | --- |',
    '  2.1 b.a',
  ])
})

it('continues the count across lists of one definition, unless a list sets its start', async () => {
  const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
  const list = numberingPart(abstract(0, level(0, 'decimal', '%1.')), num(1, 0), num(2, 0), num(3, 0, restart))
  const body = [item('a'), item('b'), item('c', 2), item('d', 3), item('e', 3), item('f', 1)]
  expect(texts(await readDocx(body.join(''), list))).toEqual(['1. a\n2. b\n3. c\n1. d\n2. e\n3. f'])
})

it('prefers levels of a list to those of its definition', async () => {
  const other = `<w:lvlOverride w:ilvl="0">${level(0, 'upperLetter', '%1)')}</w:lvlOverride>`
  const list = numberingPart(abstract(0, level(0, 'decimal', '%1.')), num(1, 0, other))
  expect(texts(await readDocx(item('a') + item('b'), list))).toEqual(['A) a\nB) b'])
})

it('restarts levels as their definition specifies', async () => {
  const list = numberingPart(
    abstract(
      0,
      level(0, 'decimal', '%1.'),
      level(1, 'decimal', '(%2)', '<w:lvlRestart w:val="0"/>'),
      level(2, 'lowerLetter', '%3)', '<w:lvlRestart w:val="1"/>'),
    ),
    num(1, 0),
  )
  const body = [0, 1, 2, 1, 2, 0, 1, 2].map((at) => item('x', 1, at)).join('')
  expect(
    texts(await readDocx(body, list))[0]
      ?.split('\n')
      .map((line) => line.trim()),
  ).toEqual(['1.', '(1)', 'a)', '(2)', 'b)', '2.', '(3)', 'a)'].map((label) => `${label} x`))
})

it('shows legal numbers in digits', async () => {
  const list = numberingPart(
    abstract(
      0,
      level(0, 'upperRoman', 'Article %1'),
      level(1, 'decimalZero', 'Section %1.%2', '<w:isLgl/>'),
      level(2, 'lowerLetter', '%1.%2.%3', '<w:isLgl/>'),
    ),
    num(1, 0),
  )
  const body = item('a') + item('a.a', 1, 1) + item('a.a.a', 1, 2)
  expect(texts(await readDocx(body, list))).toEqual(['Article I a\n  Section 1.01 a.a\n    1.01.1 a.a.a'])
})

it('counts a parent level without items as 1, and leaves out one with bullets', async () => {
  const list = numberingPart(
    abstract(
      0,
      level(0, 'decimal', '%1.'),
      level(1, 'decimal', '%1.%2.'),
      level(2, 'bullet', '—'),
      level(3, 'decimal', '%1.%2.%3%4.'),
    ),
    num(1, 0),
  )
  const body = [1, 0, 3, 3, 1, 3].map((at) => item('x', 1, at)).join('')
  expect(
    texts(await readDocx(body, list))[0]
      ?.split('\n')
      .map((line) => line.trim()),
  ).toEqual(['1.1.', '2.', '2.1.1.', '2.1.2.', '2.2.', '2.2.1.'].map((label) => `${label} x`))
})

it('marks bullets with a dash, check boxes with their sign, and blanks with nothing', async () => {
  const sign = (id: number, text: string, font = ''): string =>
    abstract(id, level(0, 'bullet', text, `<w:rPr><w:rFonts w:ascii="${font}"/></w:rPr>`)) + num(id, id)
  const list = numberingPart(
    sign(1, '\uf0b7', 'Symbol'),
    sign(2, '☐'),
    sign(3, '☒'),
    sign(4, '\uf0fe', 'Wingdings'),
    sign(5, ' '),
  )
  const body = [1, 2, 3, 4, 5].map((at) => item('x', at)).join('')
  expect(texts(await readDocx(body, list))).toEqual(['- x\n☐ x\n☒ x\n☑ x\nx'])
})

it('counts items without text, and shows no label where a list has none', async () => {
  const empty = `<w:p><w:pPr>${numbered(1)}</w:pPr></w:p>`
  const list = numberingPart(
    abstract(0, level(0, 'decimal', '%1.')),
    abstract(1, level(0, 'none', '')),
    num(1, 0),
    num(2, 1),
  )
  const body = item('a') + empty + item('c') + item('text', 2) + paragraph('no list', numbered(0)) + item('none', 9)
  expect(texts(await readDocx(body, list))).toEqual(['1. a\n3. c', 'text', 'no list', 'none'])
})

it('counts no paragraph that a tracked change has joined with the next one', async () => {
  const gone = (properties: string) => paragraph('first ', `${properties}<w:rPr><w:del w:id="1"/></w:rPr>`)
  expect(texts(await readDocx(item('a') + gone(numbered(1)) + item('second'), plain))).toEqual([
    '1. a\n2. first second',
  ])
  expect(texts(await readDocx(table(row(cell('x'), cellOf(gone('')))), plain))).toEqual([
    '| x | first |\n| --- | --- |',
  ])
})

describe('headings', () => {
  it('are found by style, by base style, and by outline level', async () => {
    const styles = stylesPart(
      style('a', 'heading 2'),
      style('b', 'Clause', '<w:basedOn w:val="a"/>'),
      style('c', 'Chapter', '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>'),
      style('d', 'Überschrift 1'),
      style('e', 'TOC Heading', '<w:basedOn w:val="a"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>'),
      style('f', 'Loop', '<w:basedOn w:val="g"/>'),
      style('g', 'Loop 2', '<w:basedOn w:val="f"/>'),
      style('h', 'Заголовок 3'),
      style('i', 'Title'),
    )
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'h', 'i', 'Heading4', 'Kop5']
    const body = ids.map((id) => paragraph(id, `<w:pStyle w:val="${id}"/>`)).join('')
    const outline = paragraph('outline', '<w:outlineLvl w:val="4"/>')
    const read = await readDocx(body + outline, styles)
    expect(blocksOf(read)).toEqual([
      'heading2: a',
      'heading2: b',
      'heading3: c',
      'heading1: d',
      'text: e',
      'text: f',
      'heading3: h',
      'heading1: i',
      'heading4: Heading4',
      'heading5: Kop5',
      'heading5: outline',
    ])
  })

  it('have the numbers of the list that their style or paragraph refers to', async () => {
    const list = numberingPart(
      abstract(
        0,
        level(0, 'decimal', '%1', '<w:pStyle w:val="H1"/>'),
        level(1, 'decimal', '%1.%2', '<w:pStyle w:val="H2"/>'),
      ),
      abstract(1, level(0, 'bullet', '•')),
      num(1, 0),
      num(2, 1),
    )
    const ofList = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    const styles = stylesPart(
      style('H1', 'heading 1', ofList),
      style('H2', 'heading 2', ofList),
      style('Own', 'My heading', '<w:basedOn w:val="H2"/>'),
      style('Below', 'Below', '<w:basedOn w:val="H1"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr>'),
    )
    const heading = (id: string, more = '') => paragraph(id, `<w:pStyle w:val="${id}"/>${more}`)
    const body = [
      heading('H1'),
      heading('H2'),
      heading('Own'),
      heading('Below'),
      heading('H1', numbered(0)),
      heading('H1', numbered(2)),
    ]
    expect(blocksOf(await readDocx([...body, heading('H1')].join(''), { ...list, ...styles }))).toEqual([
      'heading1: 1 H1',
      'heading2: 1.1 H2',
      'heading2: 1.2 Own',
      'heading1: 1.3 Below',
      'heading1: H1',
      'heading1: H1',
      'heading1: 2 H1',
    ])
  })
})

it('resolves list styles, also circular ones', async () => {
  const link = (id: number, to: string) =>
    `<w:abstractNum w:abstractNumId="${id}"><w:numStyleLink w:val="${to}"/></w:abstractNum>`
  const listStyle = (id: string, list: number) =>
    `<w:style w:type="numbering" w:styleId="${id}"><w:pPr><w:numPr><w:numId w:val="${list}"/></w:numPr></w:pPr></w:style>`
  const list = numberingPart(
    abstract(0, level(0, 'decimal', '%1.')),
    link(1, 'Mine'),
    link(2, 'Loop'),
    num(1, 1),
    num(2, 0),
    num(3, 2),
  )
  const styles = stylesPart(listStyle('Mine', 2), listStyle('Loop', 3))
  expect(texts(await readDocx(item('a') + item('b', 3), { ...list, ...styles }))).toEqual(['1. a', 'b'])
})

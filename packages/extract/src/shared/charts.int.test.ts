import { describe, expect, it } from 'vitest'
import {
  blocksOf,
  noteMessages,
  readDocx,
  paragraph as wordParagraph,
  relation as wordRelation,
  relations as wordRelations,
} from '../docx/docx.fixture.ts'
import { readPptx, relation } from '../pptx/pptx.fixture.ts'
import { readFile, textRow, texts, xlsx } from '../read-file.fixture.ts'

describe('charts', () => {
  const points = (...values: (string | undefined)[]) =>
    values.map((value, at) => (value === undefined ? '' : `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`)).join('')
  const cat = (inner: string) => `<c:cat><c:strRef><c:f>A1</c:f><c:strCache>${inner}</c:strCache></c:strRef></c:cat>`
  const series = (name: string, categories: string, values: string, format = 'General') =>
    `<c:ser><c:idx val="0"/><c:tx><c:strRef><c:f>B1</c:f><c:strCache>${points(name)}</c:strCache></c:strRef></c:tx><c:dLbls><c:dLbl><c:tx><c:rich><a:t>label</a:t></c:rich></c:tx></c:dLbl></c:dLbls>${categories}<c:val><c:numRef><c:f>B2</c:f><c:numCache><c:formatCode>${format}</c:formatCode>${values}</c:numCache></c:numRef></c:val></c:ser>`
  const part = (inner: string) => `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart>${inner}</c:chart></c:chartSpace>`
  const read = (inner: string) =>
    readPptx(
      [
        {
          body: '<p:graphicFrame><a:graphic><a:graphicData><c:chart xmlns:c="c" r:id="rC"/></a:graphicData></a:graphic></p:graphicFrame>',
          relations: relation('rC', 'chart', '../charts/chart1.xml'),
        },
      ],
      { 'ppt/charts/chart1.xml': part(inner) },
    )
  const title =
    '<c:title><c:tx><c:rich><a:p><a:r><a:t>Harvest </a:t></a:r><a:r><a:t>by field</a:t></a:r></a:p></c:rich></c:tx></c:title>'
  const axis =
    '<c:catAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Field</a:t></a:r></a:p></c:rich></c:tx></c:title></c:catAx>'

  it('are their title and a table of categories and series', async () => {
    const names = cat(points('North', 'South'))
    const found = await read(
      `${title}<c:plotArea>${series('Oats', names, points('19.2', '21.400000000000002'))}${series('Share', names, points(undefined, '0.25'), '0%')}${axis}</c:plotArea>`,
    )
    expect(blocksOf(found).slice(1)).toEqual([
      'text: Harvest by field',
      'table: |  | Oats | Share |\n| --- | --- | --- |\n| North | 19.2 |  |\n| South | 21.4 | 25% |',
    ])
    expect(found.notes).toEqual([])
  })

  it('have categories of several levels, dates, and points of scatter charts', async () => {
    const levels = cat(
      `<c:lvl>${points('May', 'June', 'May')}</c:lvl><c:lvl>${points('2024', undefined, '2025')}</c:lvl>`,
    )
    expect(texts(await read(series('Rain', levels, points('1', '2', '3')))).at(-1)).toBe(
      '|  | Rain |\n| --- | --- |\n| 2024 May | 1 |\n| 2024 June | 2 |\n| 2025 May | 3 |',
    )
    const days = `<c:cat><c:numRef><c:numCache><c:formatCode>d/m/yyyy</c:formatCode>${points('45292')}</c:numCache></c:numRef></c:cat>`
    expect(texts(await read(series('Rain', days, points('4')))).at(-1)).toContain('| 2024-01-01 | 4 |')
    const scatter = series('Trees', cat(points('1.5')), points('7'))
      .replaceAll('c:cat', 'c:xVal')
      .replaceAll('c:val>', 'c:yVal>')
    expect(texts(await read(scatter)).at(-1)).toContain('| 1.5 | 7 |')
  })

  it('are noted if the file has no values of them', async () => {
    expect((await read('<c:plotArea/>')).notes).toEqual(['content_not_read'])
  })

  const harvest = `${title}<c:plotArea>${series('Oats', cat(points('North', 'South')), points('19.2', '21.4'))}</c:plotArea>`
  const table = '|  | Oats |\n| --- | --- |\n| North | 19.2 |\n| South | 21.4 |'
  const inWord = '<w:p><w:r><w:t>See below.</w:t><w:drawing><c:chart xmlns:c="c" r:id="rC"/></w:drawing></w:r></w:p>'

  it('follow the paragraph of a document that they are in', async () => {
    const found = await readDocx(inWord + wordParagraph('After.'), {
      'word/_rels/document.xml.rels': wordRelations(wordRelation('rC', 'chart', 'charts/chart1.xml')),
      'word/charts/chart1.xml': part(harvest),
    })
    expect(blocksOf(found)).toEqual(['text: See below.', 'text: Harvest by field', `table: ${table}`, 'text: After.'])
    expect(found.notes).toEqual([])
  })

  it('that are damaged, or of more values than a document may hold, are noted', async () => {
    const many = points(...Array.from({ length: 1000 }, (_, at) => `${at}`))
    for (const inner of ['<c:plotArea', series('Oats', cat(many), many)]) {
      const found = await readDocx(inWord + inWord.replace('rC', 'rD'), {
        'word/_rels/document.xml.rels': wordRelations(
          wordRelation('rC', 'chart', 'charts/chart1.xml'),
          wordRelation('rD', 'chart', 'charts/chart2.xml'),
        ),
        'word/charts/chart1.xml': part(inner),
        'word/charts/chart2.xml': part(harvest),
      })
      expect(texts(found)).toEqual(['See below.', 'See below.', 'Harvest by field', table])
      expect(found.notes).toEqual(['content_not_read'])
    }
  })

  it('follow the rows of their sheet, and are read from sheets of their own', async () => {
    const frame = (id: string) => `<xdr:graphicFrame><c:chart xmlns:c="c" r:id="${id}"/></xdr:graphicFrame>`
    const parts = {
      'xl/worksheets/_rels/sheet0.xml.rels': wordRelations(wordRelation('d', 'drawing', '../drawings/d.xml')),
      'xl/drawings/d.xml': `<xdr:wsDr>${frame('rC')}${frame('rC')}</xdr:wsDr>`,
      'xl/drawings/_rels/d.xml.rels': wordRelations(wordRelation('rC', 'chart', '../charts/chart1.xml')),
      'xl/charts/chart1.xml': part(harvest),
    }
    const rows = `<sheetData>${textRow(1, 'Field', 'Oats')}${textRow(2, 'North', '19.2')}</sheetData>`
    const found = await readFile('xlsx', xlsx({ Yields: rows }, parts))
    expect(blocksOf(found).slice(1)).toEqual([
      'row: Field: North\nOats: 19.2',
      'text: Chart: Harvest by field',
      `table: ${table}`,
    ])
    expect(noteMessages(found)).toEqual(['content_not_read: Sheet "Yields" has content that was not read: 1 chart.'])
    const ownSheet = {
      'xl/_rels/workbook.xml.rels': wordRelations(wordRelation('s0', 'chartsheet', 'chartsheets/sheet1.xml')),
      'xl/chartsheets/sheet1.xml': '<chartsheet/>',
      'xl/chartsheets/_rels/sheet1.xml.rels': parts['xl/worksheets/_rels/sheet0.xml.rels'],
    }
    const alone = await readFile('xlsx', xlsx({ Yields: rows }, { ...parts, ...ownSheet }))
    expect(blocksOf(alone)).toEqual(['heading1: Yields', 'text: Chart: Harvest by field', `table: ${table}`])
  })
})

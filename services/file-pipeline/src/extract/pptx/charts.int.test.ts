import { describe, expect, it } from 'vitest'
import { blocksOf } from '../docx/docx.fixture.ts'
import { texts } from '../read-file.fixture.ts'
import { box, paragraph, readPptx, relation, run, textShape } from './pptx.fixture.ts'

describe('charts', () => {
  const points = (...values: (string | undefined)[]) =>
    values.map((value, at) => (value === undefined ? '' : `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`)).join('')
  const cat = (inner: string) => `<c:cat><c:strRef><c:f>A1</c:f><c:strCache>${inner}</c:strCache></c:strRef></c:cat>`
  const series = (name: string, categories: string, values: string, format = 'General') =>
    `<c:ser><c:idx val="0"/><c:tx><c:strRef><c:f>B1</c:f><c:strCache>${points(name)}</c:strCache></c:strRef></c:tx><c:dLbls><c:dLbl><c:tx><c:rich><a:t>label</a:t></c:rich></c:tx></c:dLbl></c:dLbls>${categories}<c:val><c:numRef><c:f>B2</c:f><c:numCache><c:formatCode>${format}</c:formatCode>${values}</c:numCache></c:numRef></c:val></c:ser>`
  const read = (inner: string) =>
    readPptx(
      [
        {
          body: '<p:graphicFrame><a:graphic><a:graphicData><c:chart xmlns:c="c" r:id="rC"/></a:graphicData></a:graphic></p:graphicFrame>',
          relations: relation('rC', 'chart', '../charts/chart1.xml'),
        },
      ],
      { 'ppt/charts/chart1.xml': `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart>${inner}</c:chart></c:chartSpace>` },
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
})

it('reads cards side by side one after the other, but rows of like boxes as rows', async () => {
  const card = (name: string, x: number) => box(`${name} head`, x, 50, 80, 8) + box(`${name} text`, x, 60, 80, 40)
  expect(
    texts(await readPptx([['One', 'Two', 'Three'].map((name, at) => card(name, at * 90)).join('')])).slice(1),
  ).toEqual(['One', 'Two', 'Three'].flatMap((name) => [`${name} head`, `${name} text`]))
  const row = (y: number) => box(`a${y}`, 0, y, 80) + box(`b${y}`, 90, y, 80)
  expect(texts(await readPptx([row(50) + row(62) + row(74)])).slice(1)).toEqual([
    'a50',
    'b50',
    'a62',
    'b62',
    'a74',
    'b74',
  ])
})

it('reads characters of symbol fonts as the signs they show', async () => {
  const inFont = (text: string, font: string) => `<a:r><a:rPr>${font}</a:rPr><a:t>${text}</a:t></a:r>`
  const lines = [
    inFont('Été à reap', '<a:sym typeface="Wingdings"/>'),
    inFont('\uf0e0', '<a:sym typeface="Wingdings"/>') + run(' on'),
    inFont('ü', '<a:latin typeface="Wingdings"/>') + run(' à la carte'),
    inFont('a', '<a:latin typeface="Symbol"/>'),
    inFont('à', '<a:latin typeface="Arial"/>'),
  ]
  const read = await readPptx([textShape(lines.map((line) => paragraph(line)).join(''))])
  expect(texts(read)[1]).toBe('Été → reap\n→ on\n✓ à la carte\nα\nà')
})

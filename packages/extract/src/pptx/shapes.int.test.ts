import { expect, it } from 'vitest'
import { texts } from '../read-file.fixture.ts'
import { box, paragraph, readPptx, run, textShape } from './pptx.fixture.ts'

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

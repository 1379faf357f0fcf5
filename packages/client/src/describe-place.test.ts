import { expect, it } from 'vitest'
import { describePlace, filePartOf } from './describe-place.ts'

it.each([
  [undefined, ''],
  [{ page: 3 }, 'page 3'],
  [{ page: 3, page_title: 'Costs' }, 'page 3, "Costs"'],
  [{ sheet: 'Costs', row_from: 4, row_to: 9 }, 'sheet "Costs", rows 4 to 9'],
  [{ row_from: 4, row_to: 4 }, 'row 4'],
  [{ path: '/people/3' }, 'at /people/3'],
  [{ path: '' }, 'at the top'],
  [{ offset_from: 10, offset_to: 20 }, 'characters 10 to 20'],
])('describes the place %j as %j', (place, text) => {
  expect(describePlace({ ...(place && { place }) })).toBe(text)
})

it.each([
  [{ page: '1' }, 'multi page.pdf, page 1'],
  [{ page: '3', heading: 'Costs', page_title: 'Costs' }, 'multi page.pdf, page 3'],
  [{ sheet: 'Plan', row_from: 4, row_to: 9, heading: 'Plan' }, 'multi page.pdf, sheet "Plan", rows 4 to 9'],
  [{ row_from: 2, row_to: 2 }, 'multi page.pdf, row 2'],
  [{ heading: 'Install > Linux', offset_from: 10, offset_to: 20 }, 'multi page.pdf, "Install > Linux"'],
  [{ heading: 'Chapter 1', path: 'OPS/1.xhtml' }, 'multi page.pdf, "Chapter 1"'],
  [{ path: '/people/3' }, 'multi page.pdf, at /people/3'],
  [{}, 'multi page.pdf'],
])('says of a chunk with %j where it is: %s', (metadata, text) => {
  const chunk = { id: 'multi page.pdf_chunk_7', metadata: { source: 'multi page.pdf', chunk_index: 7, ...metadata } }
  expect(filePartOf(chunk)?.text).toBe(text)
})

it('says of a summary which file it is of, and nothing of a document', () => {
  const summary = { source: 'a.pdf', is_summary: true, page: 'summary_0_chunks_0_3' }
  expect(filePartOf({ id: 'a.pdf_summary_0', metadata: summary })?.text).toBe('a.pdf, summary')
  for (const metadata of [{}, { source: 'the guide', page: 4 }, { source: 'a.pdf', chunk_index: 1 }, { source: 1 }])
    expect(filePartOf({ id: 'note-2', metadata })).toBeUndefined()
})

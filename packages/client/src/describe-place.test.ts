import { expect, it } from 'vitest'
import { describePlace } from './describe-place.ts'

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
  expect(describePlace({ code: 'value_cut', message: 'A value was cut.', ...(place && { place }) })).toBe(text)
})

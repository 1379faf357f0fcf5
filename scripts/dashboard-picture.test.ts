import { expect, it } from 'vitest'
import { dashboardPicture, type Panel, valueText } from './lib/dashboard-picture.ts'

const noon = Date.UTC(2026, 0, 2, 12) / 1_000
const panel = (of: Partial<Panel>): Panel => ({
  title: 'Calls',
  type: 'timeseries',
  unit: 'reqps',
  place: { x: 0, y: 0, w: 12, h: 8 },
  series: [],
  ...of,
})
const linesIn = (picture: string): string[] =>
  [...picture.matchAll(/<polyline points="([^"]*)"/g)].map(([, points = '']) => points)
const textsOf = (picture: string): string[] =>
  [...picture.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text)

it.each([
  [0, 's', '0 s'],
  [0.0123, 's', '12 ms'],
  [90, 's', '90 s'],
  [0.256, 'percentunit', '26 %'],
  [1536, 'bytes', '1.5 KiB'],
  [268_435_456, 'bytes', '256 MiB'],
  [12.34, 'reqps', '12/s'],
  [1234, 'short', '1234'],
])('shows %d in the unit %s as %s', (value, unit, text) => {
  expect(valueText(value, unit)).toBe(text)
})

it('draws a line for each series, from the first to the last of the time, with its scale and its names', () => {
  const series = [
    { label: '200', points: [[noon, 0] as const, [noon + 600, 4] as const] },
    { label: '<503>', points: [[noon + 300, 2] as const] },
  ]
  const picture = dashboardPicture('Cairn', [panel({ series })], { from: noon, to: noon + 600, stepSeconds: 600 })
  expect(textsOf(picture)).toEqual(
    expect.arrayContaining([
      'Cairn, 2026-01-02T12:00 to 12:10 UTC',
      'Calls',
      '0/s',
      '2.5/s',
      '5/s',
      '12:00',
      '12:05',
      '12:10',
      '200',
      '&lt;503&gt;',
    ]),
  )
  const [first = ''] = linesIn(picture)
  const [[left, low], [right, high]] = first.split(' ').map((point) => point.split(',').map(Number)) as [
    [number, number],
    [number, number],
  ]
  // A value without neighbors is drawn as a dot.
  const [, middle, between] = (/<circle cx="([^"]*)" cy="([^"]*)"/.exec(picture) ?? []).map(Number) as [
    number,
    number,
    number,
  ]
  expect(middle).toBeCloseTo((left + right) / 2, 1)
  // The scale ends at 5; the last value is 4, the middle value is 2.
  expect((low - between) / (low - high)).toBeCloseTo(0.5, 2)
})

it('shows the last value of each series where a panel is a number, and says where there is none', () => {
  const series = [{ label: 'ingestion', points: [[noon, 1] as const, [noon + 15, 3] as const] }]
  const picture = dashboardPicture('Cairn', [panel({ type: 'stat', unit: 's', series }), panel({ title: 'Empty' })], {
    from: noon,
    to: noon + 15,
    stepSeconds: 15,
  })
  expect(textsOf(picture)).toEqual(expect.arrayContaining(['ingestion', '3 s', 'Empty', 'no data']))
})

it('leaves a gap where nothing was seen, and puts one series on the other where the panel says so', () => {
  const at = (...seconds: number[]) => seconds.map((second) => [noon + second, 2] as const)
  const series = [
    { label: 'a', points: at(0, 15, 30, 300, 315) },
    { label: 'b', points: at(0, 15) },
  ]
  const range = { from: noon, to: noon + 315, stepSeconds: 15 }
  const heights = (picture: string) =>
    linesIn(picture).map((line) => line.split(' ').map((point) => point.split(',')[1]))
  const [first, second, other] = heights(dashboardPicture('Cairn', [panel({ series })], range))
  expect([first?.length, second?.length, other?.length]).toEqual([3, 2, 2])
  expect(other?.[0]).toBe(first?.[0])
  const [under, , over] = heights(dashboardPicture('Cairn', [panel({ series, stacked: true })], range))
  expect(Number(over?.[0])).toBeLessThan(Number(under?.[0]))
})

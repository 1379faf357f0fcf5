import { expect, it } from 'vitest'
import { candidatesIn } from './candidates.ts'

const candidates = (text: string, headings: readonly string[] = []) =>
  Array.from(candidatesIn(text, 0, new Set(headings)), ({ kind, text: quoted }) => [kind, quoted])

it('are sentences, without headings, titles, code and single words', () => {
  expect(
    candidates(
      'Ferry times\n\nTHE LADY MORWENNA OF DUNMALLET\n\nMr. J. R. Hughes sails at six. Hello.\n\nconst a = 1;\n\nThe last boat of the day leaves at ten on Sundays,\nfrom No. 2 on the quay.',
      ['Ferry times'],
    ),
  ).toEqual([
    ['sentence', 'Mr. J. R. Hughes sails at six.'],
    ['sentence', 'The last boat of the day leaves at ten on Sundays, from No. 2 on the quay.'],
  ])
})

it('are items of lists, with the sentence that introduces them', () => {
  const found = Array.from(
    candidatesIn('What to bring to the boat:\n- two warm blankets\n- a lamp for each\n1) the blue form', 0, new Set()),
  )
  expect(found.map(({ kind, text, before }) => [kind, text, before])).toEqual([
    ['sentence', 'What to bring to the boat:', ''],
    ['item', 'two warm blankets', 'What to bring to the boat:'],
    ['item', 'a lamp for each', 'What to bring to the boat:'],
    ['item', 'the blue form', 'What to bring to the boat:'],
  ])
})

it('are rows of Markdown tables with the names of their columns, never the names alone', () => {
  expect(
    candidates('| Ship | Built | Cars |\n| --- | --- | --- |\n| Brigid | 2003 | 110 |\n| Oran | | a\\|b |'),
  ).toEqual([
    ['row', 'Brigid – Built: 2003; Cars: 110'],
    ['row', 'Oran – Cars: a|b'],
  ])
})

it('are records of sheets, whole', () => {
  expect(candidates('ship | built | cars\nship: Brigid\nbuilt: 2003\ncars: 110\n\nship: Oran\nbuilt: 1999')).toEqual([
    ['row', 'ship: Brigid – built: 2003; cars: 110'],
    ['row', 'ship: Oran – built: 1999'],
  ])
  expect(candidates('- Head: Mrs. Abernathy\n- Deputy: Mr. Dacre of the school')).toEqual([
    ['item', 'Head: Mrs. Abernathy'],
    ['item', 'Deputy: Mr. Dacre of the school'],
  ])
})

import { expect, it } from 'vitest'
import { askedFor, shareOfAsked } from './asked-for.ts'

const share = (question: string, text: string): number => shareOfAsked(askedFor(question), text)

it.each([
  ['Who repairs the Lady Morwenna?', 'The Lady Morwenna is repaired at six.', 0],
  ['Who repairs the Lady Morwenna?', 'Mrs. Ada Penrose repairs her.', 1],
  ['By what date is Year 9 to pay?', 'The trip of Year 9 takes place again.', 0],
  ['By what date is Year 9 to pay?', 'It is due by 7 February.', 1],
  ['How many clocks did he leave?', 'He left 96 clocks to the town.', 1],
  ['How many clocks did he leave?', 'He lived from 1838 to 1911.', 0],
  ['How many clocks did he leave?', 'He left 40 pounds.', 0.5],
  ['How many kilograms does it weigh?', 'It weighs 180 kg.', 1],
  ['¿Cuántas horas dura el turno?', 'Un turno dura cuatro horas.', 1],
  ['What is the lens made of?', 'Of glass.', 0.5],
  ['Who is Ada Penrose?', 'Ada Penrose is head of the school.', 0.5],
  ['Where in winter is the ferry moored?', 'In winter the ferry is moored in Leirvik.', 1],
])('%s: %s has %d of it', (question, text, expected) => {
  expect(share(question, text)).toBe(expected)
})

import { expect, it } from 'vitest'
import type { Brought } from './bring.ts'
import { endFault } from './judge.ts'
import { fails, says } from './outcomes.ts'

const truth = { sentences: [{ text: 'The old harbour repairs the broken lamps.', headings: [] }] }
const brought = (of: Partial<Brought>): Brought => ({
  state: 'completed',
  reason: null,
  message: null,
  attempts: 1,
  notes: [],
  texts: [],
  seconds: 1,
  requestId: 'req_1',
  ...of,
})

it('finds nothing wrong with a file that ends as it should', () => {
  expect(
    endFault(brought({ state: 'failed', reason: 'damaged' }), fails('encrypted', 'damaged'), truth),
  ).toBeUndefined()
  expect(endFault(brought({ texts: ['name: x', 'old har\nbour rep'] }), says('own'), truth)).toBeUndefined()
  expect(endFault(brought({ texts: ['Слово, 12 \ufffd'] }), says('letters'), truth)).toBeUndefined()
  expect(endFault(brought({ texts: ['kept value'] }), says(/kept/), truth)).toBeUndefined()
})

it.each([
  ['another reason', brought({ state: 'failed', reason: 'no_text' }), fails('damaged'), 'failed with no_text'],
  ['a fault of ours', brought({ state: 'failed', reason: 'internal' }), says('own', 'damaged'), 'failed with internal'],
  [
    'a reason nobody knows',
    brought({ state: 'failed', reason: 'toString' }),
    fails('damaged'),
    'no reason that is known',
  ],
  [
    'success where there can be none',
    brought({ texts: ['x'] }),
    fails('damaged'),
    'completed, where it should end with damaged',
  ],
  ['success without text', brought({}), says('own'), 'without a chunk'],
  ['text of something else', brought({ texts: ['a quiet teacher'] }), says('own'), 'not that of the sound file'],
  ['text that is none', brought({ texts: ['\ufffd\ufffd\u0001a'] }), says('letters'), 'nothing that can be read'],
  ['text without what was put in', brought({ texts: ['x'] }), says(/kept/), 'nothing like /kept/'],
  [
    'work that was begun again',
    brought({ attempts: 2, state: 'failed', reason: 'damaged' }),
    fails('damaged'),
    'started 2 times',
  ],
])('finds %s', (_, ended, expected, fault) => {
  expect(endFault(ended, expected, truth)).toContain(fault)
})

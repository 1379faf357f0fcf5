import { expect, it } from 'vitest'
import { readCommand } from './options.ts'

it('runs seed 1 when nothing is asked for', () => {
  expect(readCommand([])).toEqual({ mode: 'chaos', seed: 1, minutes: 3, documents: 2_000 })
})

it('takes every option', () => {
  const args = ['--seed', '42', '--minutes', '1.5', '--documents', '10000', '--json', 'figures.json']
  expect(readCommand(args)).toEqual({ mode: 'chaos', seed: 42, minutes: 1.5, documents: 10_000, json: 'figures.json' })
  expect(readCommand(['--outage', 'kafka'])).toMatchObject({ mode: 'outage', engine: 'kafka', seconds: 30 })
  expect(readCommand(['--outage', 'minio', '--seconds', '300'])).toMatchObject({
    mode: 'outage',
    engine: 'minio',
    seconds: 300,
  })
  expect(readCommand(['--full-disk', 'qdrant'])).toMatchObject({ mode: 'full disk', engine: 'qdrant' })
  expect(readCommand(['--file-faults'])).toMatchObject({ mode: 'file faults', seed: 1 })
  expect(readCommand(['--files', '20'])).toMatchObject({ mode: 'files', files: 20, kills: 10 })
  expect(readCommand(['--files', '20', '--kills', '3'])).toMatchObject({ mode: 'files', files: 20, kills: 3 })
  const crash = { mode: 'crash test', kills: 10, documents: 10_000 }
  expect(readCommand(['--crash-test'])).toMatchObject(crash)
  expect(readCommand(['--crash-test', '--damage', 'cut', '--documents', '9'])).toMatchObject({
    ...crash,
    damage: 'cut',
    documents: 9,
  })
  expect(readCommand(['--revoke'])).toMatchObject({ mode: 'revoke' })
  expect(readCommand(['--help'])).toEqual({ mode: 'help' })
})

it.each([
  [['--seed', 'x'], '--seed'],
  [['--minutes', '0'], '--minutes'],
  [['--minutes', 'NaN'], '--minutes'],
  [['--documents', '-1'], 'documents'],
  [['--outage', 'oracle'], '--outage is one of'],
  [['--full-disk', 'minio'], '--full-disk is one of'],
  [['--seconds', '5'], '--seconds belongs to --outage'],
  [['--revoke', '--outage', 'kafka'], 'a run of its own'],
  [['--revoke', '--files', '5'], 'a run of its own'],
  [['--kills', '5'], '--kills belongs to --files'],
  [['--damage', 'cut'], '--damage belongs to --crash-test'],
  [['--crash-test', '--damage', 'wet'], '--damage is one of'],
  [['--files', '0'], '--files'],
  [['--unknown'], 'unknown'],
])('refuses %j and says what is wrong', (args, message) => {
  expect(() => readCommand(args)).toThrow(message)
})

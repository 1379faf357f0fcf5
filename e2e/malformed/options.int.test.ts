import { fileTypes } from '@cairn/contracts/files/file-rules'
import { expect, it } from 'vitest'
import { readOptions } from './options.ts'

it('brings a thousand files of each type when nothing is asked for', () => {
  expect(readOptions([])).toEqual({ types: fileTypes, count: 1_000, seed: 1 })
})

it('takes every option', () => {
  const args = ['--type', 'pdf,docx', '--count', '30', '--seed', '7', '--kind', 'noise', '--json', 'figures.json']
  expect(readOptions(args)).toEqual({ types: ['pdf', 'docx'], count: 30, seed: 7, kind: 'noise', json: 'figures.json' })
  expect(readOptions(['--help'])).toBeUndefined()
})

it.each([
  [['--type', 'doc'], '--type is one or more of'],
  [['--type', ''], '--type'],
  [['--count', '0'], '--count'],
  [['--seed', '-1'], 'seed'],
  [['--type', 'txt', '--kind', 'zip-bomb'], "a txt file can't be spoilt by --kind zip-bomb"],
  [['--unknown'], 'unknown'],
])('refuses %j and says what is wrong', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})

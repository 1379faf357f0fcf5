import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { fileMemory } from './file-memory.ts'

const state = {
  source: 'http://localhost:3000/v1/namespaces/notes',
  model: 'words',
  documents: new Map([
    ['a', { version: 'upload_1', chunks: 3 }],
    ['__proto__', { version: null, chunks: 2 }],
  ]),
}

it('keeps what a pull remembers, whole, in a folder it makes', () => {
  const file = join(temporaryDirectory(), 'of', 'mine', 'state.json')
  expect(fileMemory(file).read()).toBeUndefined()
  fileMemory(file).write(state)
  expect(fileMemory(file).read()).toEqual(state)
  fileMemory(file).write({ ...state, documents: new Map() })
  expect(fileMemory(file).read()?.documents.size).toBe(0)
  expect(readdirSync(dirname(file))).toEqual(['state.json'])
})

it.each(['', '{', '[]', '{"format":2}', '{"format":1,"source":"s","model":"m","documents":[["a"]]}'])(
  'refuses a file that is not its own: %j',
  (text) => {
    const file = join(temporaryDirectory(), 'state.json')
    writeFileSync(file, text)
    expect(() => fileMemory(file).read()).toThrow(/not the state of a pull/)
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)

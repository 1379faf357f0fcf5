import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseApiKey } from '@cairn/runtime/http/api-key'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { createSecrets } from './secrets.ts'

const contents = (directory: string) =>
  Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8').trim()]))

it('makes every secret once, each of its own, readable by its owner alone', () => {
  const directory = join(temporaryDirectory(), 'secrets')
  const names = createSecrets(directory)
  const first = contents(directory)
  expect(Object.keys(first).sort()).toEqual([...names].sort())
  expect(new Set(Object.values(first)).size).toBe(names.length)
  expect(parseApiKey(first['api-key'] ?? '')).toBeDefined()
  for (const name of names) expect((statSync(join(directory, name)).mode & 0o777).toString(8)).toBe('600')
  expect(createSecrets(directory)).toEqual([])
  expect(contents(directory)).toEqual(first)
})

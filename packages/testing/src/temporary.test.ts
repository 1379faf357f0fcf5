import { existsSync, writeFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { temporaryFile } from './temporary.ts'

const made: string[] = []

afterAll(() => {
  expect(made.map((file) => existsSync(file))).toEqual([false, false])
})

it.each(['one', 'two'])('gives a path of its own and removes it after the test (%s)', (text) => {
  const file = temporaryFile('same-name')
  expect(existsSync(file)).toBe(false)
  expect(made).not.toContain(file)
  writeFileSync(file, text)
  made.push(file)
})

import { writeFileSync } from 'node:fs'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import { defaultTiers, readTiers, tierOf } from './tiers.ts'

const fileOf = (content: string): string => {
  const file = temporaryFile('tiers.json')
  writeFileSync(file, content)
  return file
}

it('has the three tiers of the specification without a file', () => {
  expect(readTiers(undefined)).toBe(defaultTiers)
  expect(Object.keys(defaultTiers)).toEqual(['community', 'professional', 'enterprise'])
  expect(tierOf(defaultTiers, 'community')).toEqual({
    namespaces: 10,
    documents: 10_000,
    vectors: 10_000,
    requests: 100_000,
    bytes: 10_000 * 5 * 1024 ** 3,
    openUploads: 10_000,
  })
  expect(new Set(Object.values(tierOf(defaultTiers, 'enterprise')))).toEqual(new Set([null]))
})

it('takes tiers from a file', () => {
  const tiers = { tiny: { namespaces: 1, documents: 2, vectors: 0, requests: null, bytes: 5, openUploads: 6 } }
  expect(readTiers(fileOf(JSON.stringify(tiers)))).toEqual(tiers)
})

it('takes a file of an earlier version, whose tiers say nothing of storage', () => {
  const tiny = { namespaces: 1, documents: 2, vectors: 0, requests: null }
  expect(readTiers(fileOf(JSON.stringify({ tiny })))).toEqual({ tiny: { ...tiny, bytes: null, openUploads: null } })
})

it.each([
  ['no JSON', '{ community'],
  ['a limit that is missing', '{"tiny":{"namespaces":1,"documents":2,"vectors":3}}'],
  ['a limit below zero', '{"tiny":{"namespaces":-1,"documents":2,"vectors":3,"requests":4}}'],
  ['half a document', '{"tiny":{"namespaces":1,"documents":2.5,"vectors":3,"requests":4}}'],
  ['a limit it does not know', '{"tiny":{"namespaces":1,"documents":2,"vectors":3,"requests":4,"files":5}}'],
])('refuses a file with %s, and names the setting and the file', (_, content) => {
  const file = fileOf(content)
  expect(() => readTiers(file)).toThrow(
    expect.objectContaining({ code: 'invalid', message: expect.stringContaining(`CAIRN_TIERS_FILE ${file}`) }),
  )
})

it('says of a tier which limit is wrong and what it must be', () => {
  const file = fileOf('{"tiny":{"namespaces":1,"documents":"2","vectors":3,"requests":4}}')
  expect(() => readTiers(file)).toThrow(/: tiny\.documents must be a whole number from 0 on, or null for unlimited$/)
})

it('refuses a file that is not there', () => {
  expect(() => readTiers('/nowhere/tiers.json')).toThrow(expect.objectContaining({ code: 'invalid' }))
})

it.each(['gone', 'constructor', '__proto__'])(
  'grants nothing to an account of a tier that is not there: %s',
  (name) => {
    expect(tierOf(defaultTiers, name)).toEqual({
      namespaces: 0,
      documents: 0,
      vectors: 0,
      requests: 0,
      bytes: 0,
      openUploads: 0,
    })
  },
)

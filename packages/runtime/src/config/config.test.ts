import { writeFileSync } from 'node:fs'
import { commaList, flag, secret, setting, wholeNumber } from '@cairn/contracts/settings'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { environmentNames, readConfig } from './config.ts'

const schema = z.object({
  port: setting('PORT', wholeNumber({ min: 0, max: 65_535 }).default(3_000)),
  embedder: setting('CAIRN_EMBEDDER', z.enum(['local', 'lexical']).default('local')),
  legacy: setting('CAIRN_LEGACY', flag().default(true)),
  origins: setting('CAIRN_ORIGINS', commaList().default(['*'])),
  secret: secret('CAIRN_SECRET', z.string().min(32, 'shorter than 32 characters')),
  adminKey: secret('CAIRN_ADMIN_KEY', z.string().optional()),
})
const good = 'x'.repeat(40)

const faultsOf = (env: Record<string, string>) => {
  try {
    readConfig(schema, env)
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
  }
  return []
}

it('takes defaults for what is not set or empty', () => {
  expect(readConfig(schema, { CAIRN_SECRET: good, PORT: '' })).toEqual({
    port: 3_000,
    embedder: 'local',
    legacy: true,
    origins: ['*'],
    secret: good,
  })
})

it('reads what is set', () => {
  const env = {
    CAIRN_SECRET: good,
    PORT: '8080',
    CAIRN_EMBEDDER: 'lexical',
    CAIRN_LEGACY: 'off',
    CAIRN_ORIGINS: 'https://a, https://b,',
  }
  expect(readConfig(schema, env)).toMatchObject({
    port: 8_080,
    embedder: 'lexical',
    legacy: false,
    origins: ['https://a', 'https://b'],
  })
})

it('reports every fault by name and none by value', () => {
  const env = { PORT: '70000', CAIRN_EMBEDDER: 'remote', CAIRN_LEGACY: 'perhaps', CAIRN_SECRET: 'too-short-and-secret' }
  const faults = faultsOf(env)
  expect(faults).toEqual([
    'PORT: more than 65535',
    expect.stringMatching(/^CAIRN_EMBEDDER: /),
    expect.stringMatching(/^CAIRN_LEGACY: /),
    'CAIRN_SECRET: shorter than 32 characters',
  ])
  for (const value of Object.values(env)) expect(faults.join('\n')).not.toContain(value)
})

it('says what is required', () => {
  expect(faultsOf({})).toEqual(['CAIRN_SECRET: is required'])
})

it.each(['1e3', '0x10', ' 1', '-1', '1.5', 'nine'])('does not take %s for a whole number', (text) => {
  expect(faultsOf({ CAIRN_SECRET: good, PORT: text })).toEqual(['PORT: not a whole number'])
})

it('reads a secret from the file that NAME_FILE names, without the line end', () => {
  const file = temporaryFile('secret')
  writeFileSync(file, `${good}\n`)
  expect(readConfig(schema, { CAIRN_SECRET_FILE: file }).secret).toBe(good)
})

it('refuses a secret given twice, one whose file is missing, and a file for what is no secret', () => {
  const file = temporaryFile('secret')
  expect(faultsOf({ CAIRN_SECRET_FILE: file })).toEqual(["CAIRN_SECRET_FILE: can't be read (ENOENT)"])
  expect(faultsOf({ CAIRN_SECRET_FILE: file, CAIRN_SECRET: good })).toEqual([
    'CAIRN_SECRET: set, and CAIRN_SECRET_FILE as well',
  ])
  expect(readConfig(schema, { CAIRN_SECRET: good, PORT_FILE: file }).port).toBe(3_000)
})

it('lists the variables it reads', () => {
  expect(environmentNames(schema)).toEqual([
    'PORT',
    'CAIRN_EMBEDDER',
    'CAIRN_LEGACY',
    'CAIRN_ORIGINS',
    'CAIRN_SECRET',
    'CAIRN_SECRET_FILE',
    'CAIRN_ADMIN_KEY',
    'CAIRN_ADMIN_KEY_FILE',
  ])
})

it('refuses a setting without a variable', () => {
  expect(() => readConfig(z.object({ lost: z.string() }), {})).toThrow('lost names no environment variable')
})

import { readFileSync } from 'node:fs'
import { environmentNames, readConfig } from '@cairn/runtime/config'
import { expect, it } from 'vitest'
import { standaloneConfig } from './config.ts'

/** Read by the command and the demo, which have no configuration schema. */
const ofTheCommand = ['CAIRN_URL', 'CAIRN_API_KEY', 'CAIRN_API_KEY_FILE']

const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
const entries = [...example.matchAll(/^(#?)([A-Z_]+)=(.*)$/gm)].map(([, off = '', name = '', value = '']) => ({
  off: off !== '',
  name,
  value,
}))

it('lists every setting in .env.example once, and nothing that is no setting', () => {
  expect(entries.map(({ name }) => name).sort()).toEqual([...environmentNames(standaloneConfig), ...ofTheCommand].sort())
})

it('sets nothing by .env.example as it is, and says the defaults in it', () => {
  expect(entries.filter(({ off }) => !off)).toEqual([])
  const named = entries.filter(({ name, value }) => value !== '' && !ofTheCommand.includes(name))
  const uncommented = Object.fromEntries(named.map(({ name, value }) => [name, value]))
  const defaults = readConfig(standaloneConfig, {})
  expect(readConfig(standaloneConfig, uncommented)).toEqual(defaults)
  const withDefault = Object.entries(defaults).filter(([, value]) => value !== undefined)
  expect(named).toHaveLength(withDefault.length)
})

it('starts without any setting', () => {
  expect(readConfig(standaloneConfig, {})).toMatchObject({
    port: 3_000,
    host: '::',
    dataDir: './data',
    embedder: 'local',
    corsOrigins: ['*'],
  })
})

it('names every fault at once, and shows no value', () => {
  const env = { PORT: '80000', CAIRN_SECRET: 'change-me-change-me-change-me-change-me', CAIRN_ADMIN_KEY: 'short', CAIRN_EMBEDDER: 'magic' }
  let fault = ''
  try {
    readConfig(standaloneConfig, env)
  } catch (error) {
    fault = String(error)
  }
  for (const name of Object.keys(env)) expect(fault).toContain(name)
  for (const value of Object.values(env)) expect(fault).not.toContain(value)
})

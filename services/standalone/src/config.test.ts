import { readConfig } from '@cairn/runtime/config/config'
import { expect, it } from 'vitest'
import { standaloneConfig } from './config.ts'

it('starts without any setting', () => {
  expect(readConfig(standaloneConfig, {})).toMatchObject({
    port: 3_000,
    host: 'localhost',
    dataDir: './data',
    embedder: 'local',
    corsOrigins: ['*'],
  })
})

it('reads scanned pages in the languages that are installed', () => {
  expect(readConfig(standaloneConfig, {})).toMatchObject({ ocrLanguages: ['eng'], fileMinutes: 60 })
  expect(readConfig(standaloneConfig, { CAIRN_OCR_LANGUAGES: ' eng, eng' })).toMatchObject({
    ocrLanguages: ['eng', 'eng'],
  })
  expect(() => readConfig(standaloneConfig, { CAIRN_OCR_LANGUAGES: 'eng,xyz' })).toThrow(
    /CAIRN_OCR_LANGUAGES.*'xyz' is not installed/,
  )
})

it('names every fault at once, and shows no value', () => {
  const env = {
    PORT: '80000',
    CAIRN_SECRET: 'change-me-change-me-change-me-change-me',
    CAIRN_ADMIN_KEY: 'short',
    CAIRN_EMBEDDER: 'magic',
  }
  let fault = ''
  try {
    readConfig(standaloneConfig, env)
  } catch (error) {
    fault = String(error)
  }
  for (const name of Object.keys(env)) expect(fault).toContain(name)
  for (const value of Object.values(env)) expect(fault).not.toContain(value)
})

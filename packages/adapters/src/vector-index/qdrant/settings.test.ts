import { writeFileSync } from 'node:fs'
import { environmentNames, readConfig } from '@cairn/runtime/config/config'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { qdrantConfig } from './settings.ts'

const schema = z.object(qdrantConfig)

it('finds a Qdrant on this machine when nothing is set', () => {
  expect(readConfig(schema, {})).toEqual({
    qdrantUrl: 'http://127.0.0.1:6333',
    qdrantPrefix: 'cairn-',
    qdrantQuantization: 'none',
  })
})

it('reads all settings, the key also from a file', () => {
  const file = temporaryFile('key')
  writeFileSync(file, 'a key\n')
  const env = {
    CAIRN_QDRANT_URL: 'https://qdrant.example/vectors',
    CAIRN_QDRANT_API_KEY_FILE: file,
    CAIRN_QDRANT_PREFIX: 'staging_2-',
    CAIRN_QDRANT_QUANTIZATION: 'int8',
  }
  expect(readConfig(schema, env)).toEqual({
    qdrantUrl: 'https://qdrant.example/vectors',
    qdrantApiKey: 'a key',
    qdrantPrefix: 'staging_2-',
    qdrantQuantization: 'int8',
  })
})

it.each([
  ['CAIRN_QDRANT_URL', 'qdrant:6333'],
  ['CAIRN_QDRANT_URL', 'ftp://qdrant:6333'],
  ['CAIRN_QDRANT_PREFIX', 'a/b'],
  ['CAIRN_QDRANT_PREFIX', 'x'.repeat(65)],
  ['CAIRN_QDRANT_QUANTIZATION', 'binary'],
])('refuses %s=%s by its name', (name, value) => {
  expect(() => readConfig(schema, { [name]: value })).toThrow(`${name}: `)
})

it('names the variables that belong in .env.example', () => {
  expect(environmentNames(schema)).toEqual([
    'CAIRN_QDRANT_URL',
    'CAIRN_QDRANT_API_KEY',
    'CAIRN_QDRANT_API_KEY_FILE',
    'CAIRN_QDRANT_PREFIX',
    'CAIRN_QDRANT_QUANTIZATION',
  ])
})

import { writeFileSync } from 'node:fs'
import { environmentNames, readConfig } from '@cairn/runtime/config/config'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { mongodbConfig } from './mongodb-settings.ts'

const schema = z.object(mongodbConfig)

it('names a server and a database of this machine by default', () => {
  expect(readConfig(schema, {})).toEqual({ mongodbUrl: 'mongodb://127.0.0.1:27017', mongodbDatabase: 'cairn' })
})

it.each([
  'mongodb://127.0.0.1:27017',
  'mongodb://user:p%40ss@a.example:27017,b.example/?replicaSet=rs0&tls=true&authSource=admin',
  'mongodb+srv://user:secret@cluster.example/?retryWrites=true',
])('takes the address %s', (url) => {
  expect(readConfig(schema, { CAIRN_MONGODB_URL: url, CAIRN_MONGODB_DATABASE: 'cairn-2' })).toEqual({
    mongodbUrl: url,
    mongodbDatabase: 'cairn-2',
  })
})

it('reads the address from a file, since there may be a password in it', () => {
  const file = temporaryFile('mongodb-url')
  writeFileSync(file, 'mongodb://user:secret@127.0.0.1:27017/\n')
  expect(readConfig(schema, { CAIRN_MONGODB_URL_FILE: file }).mongodbUrl).toBe('mongodb://user:secret@127.0.0.1:27017/')
  expect(environmentNames(schema)).toEqual(['CAIRN_MONGODB_URL', 'CAIRN_MONGODB_URL_FILE', 'CAIRN_MONGODB_DATABASE'])
})

it.each(['http://127.0.0.1:27017', 'user:secret@127.0.0.1', 'mongodb://', 'mongodb://a.example /'])(
  'refuses the address %s',
  (url) => {
    expect(() => readConfig(schema, { CAIRN_MONGODB_URL: url })).toThrow(
      'CAIRN_MONGODB_URL: not an address that begins with mongodb:// or mongodb+srv://',
    )
  },
)

it('does not repeat a password when it refuses an address', () => {
  expect(() => readConfig(schema, { CAIRN_MONGODB_URL: 'user:secret@127.0.0.1' })).toThrow(/^(?!.*secret)/s)
})

it.each(['a.b', 'a/b', 'a b', '$db', 'x'.repeat(64)])('refuses the database %s', (name) => {
  expect(() => readConfig(schema, { CAIRN_MONGODB_DATABASE: name })).toThrow(
    'CAIRN_MONGODB_DATABASE: not 1 to 63 letters, digits, hyphens and underscores',
  )
})

it.each(['admin', 'config', 'local'])('refuses the database %s, which is the server’s own', (name) => {
  expect(() => readConfig(schema, { CAIRN_MONGODB_DATABASE: name })).toThrow(
    'CAIRN_MONGODB_DATABASE: one of the names MongoDB keeps for itself',
  )
})

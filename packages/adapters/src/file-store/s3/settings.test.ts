import { environmentNames, readConfig } from '@cairn/runtime/config/config'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { s3Config, s3Rule } from './settings.ts'

const schema = z.object(s3Config)

it('has defaults for all but the address and the credentials', () => {
  const defaults = {
    s3Region: 'us-east-1',
    s3Bucket: 'cairn',
    s3PathStyle: true,
    s3Prefix: 'cairn',
    s3Checksums: 'when_supported',
  }
  expect(readConfig(schema, {})).toEqual(defaults)
})

it('reads all settings', () => {
  const env = {
    CAIRN_S3_ENDPOINT: 'http://127.0.0.1:9000',
    CAIRN_S3_PUBLIC_ENDPOINT: 'https://files.example.com',
    CAIRN_S3_REGION: 'eu-central-1',
    CAIRN_S3_BUCKET: 'my-files-2',
    CAIRN_S3_ACCESS_KEY_ID: 'id',
    CAIRN_S3_SECRET_ACCESS_KEY: 'key',
    CAIRN_S3_PATH_STYLE: 'off',
    CAIRN_S3_PREFIX: 'team-1',
    CAIRN_S3_CHECKSUMS: 'when_required',
  }
  expect(readConfig(schema, env)).toEqual({
    s3Endpoint: 'http://127.0.0.1:9000',
    s3PublicEndpoint: 'https://files.example.com',
    s3Region: 'eu-central-1',
    s3Bucket: 'my-files-2',
    s3AccessKeyId: 'id',
    s3SecretAccessKey: 'key',
    s3PathStyle: false,
    s3Prefix: 'team-1',
    s3Checksums: 'when_required',
  })
})

it.each(['127.0.0.1:9000', 'ftp://files', 'minio'])('refuses %s as an address, by its name only', (text) => {
  for (const name of ['CAIRN_S3_ENDPOINT', 'CAIRN_S3_PUBLIC_ENDPOINT']) {
    expect(() => readConfig(schema, { [name]: text })).toThrow(new RegExp(`${name}: not an http address`))
  }
})

it.each(['ab', 'My-Bucket', 'a.b.c', '-files', 'files-', 'x'.repeat(64), 'a/b'])(
  'refuses %s as the name of a bucket',
  (text) => {
    expect(() => readConfig(schema, { CAIRN_S3_BUCKET: text })).toThrow(/CAIRN_S3_BUCKET: not 3 to 63/)
  },
)

it.each(['Team', 'a/b', 'x'.repeat(33), '-a'])('refuses %j as the prefix of keys', (text) => {
  expect(() => readConfig(schema, { CAIRN_S3_PREFIX: text })).toThrow(/CAIRN_S3_PREFIX: not 1 to 32/)
})

it('takes both halves of the credentials from files', () => {
  expect(environmentNames(schema)).toEqual(
    expect.arrayContaining(['CAIRN_S3_ACCESS_KEY_ID_FILE', 'CAIRN_S3_SECRET_ACCESS_KEY_FILE']),
  )
})

it.each(['minioadmin', 'changeme'])('refuses the secret %s that stores come with', (secret) => {
  const env = { CAIRN_S3_ACCESS_KEY_ID: 'id', CAIRN_S3_SECRET_ACCESS_KEY: secret }
  expect(() => readConfig(schema, env)).toThrow(/CAIRN_S3_SECRET_ACCESS_KEY: is the default of a store/)
})

it('refuses one half of the credentials, in one message with what else is wrong', () => {
  const env = { CAIRN_S3_ACCESS_KEY_ID: 'id', CAIRN_S3_BUCKET: 'A' }
  expect(() => readConfig(schema, env, [s3Rule])).toThrow(
    /CAIRN_S3_BUCKET: not 3[\s\S]*CAIRN_S3_SECRET_ACCESS_KEY: must be set together/,
  )
})

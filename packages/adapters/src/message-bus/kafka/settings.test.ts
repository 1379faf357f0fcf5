import { writeFileSync } from 'node:fs'
import { readConfig } from '@cairn/runtime/config/config'
import { temporaryFile } from '@cairn/testing/temporary'
import { expect, it } from 'vitest'
import * as z from 'zod'
import type { KafkaConnection } from './client.ts'
import { kafkaConfig, kafkaConnection } from './settings.ts'

const read = (env: Record<string, string>) => readConfig(z.object(kafkaConfig), env)
const connectionOf = (env: Record<string, string>): KafkaConnection => kafkaConnection(read(env))

it('is a broker on this machine, without a password, when nothing is set', () => {
  expect(read({})).toMatchObject({ kafkaPrefix: '', kafkaPartitions: 12, kafkaReplication: 1 })
  expect(connectionOf({})).toEqual({ brokers: ['127.0.0.1:9092'], sasl: undefined, tls: undefined })
})

it('reads all settings, with certificates and the password from files', () => {
  const [ca, password] = [temporaryFile('ca.pem'), temporaryFile('password')]
  writeFileSync(ca, 'authority\n')
  writeFileSync(password, 'open sesame\n')
  const env = {
    CAIRN_KAFKA_BROKERS: 'one:9092, two:9093',
    CAIRN_KAFKA_SASL: 'scram-sha-512',
    CAIRN_KAFKA_USERNAME: 'cairn',
    CAIRN_KAFKA_PASSWORD_FILE: password,
    CAIRN_KAFKA_TLS: 'on',
    CAIRN_KAFKA_TLS_CA_FILE: ca,
    CAIRN_KAFKA_TLS_CERT: 'certificate',
    CAIRN_KAFKA_TLS_KEY: 'key',
  }
  expect(connectionOf(env)).toEqual({
    brokers: ['one:9092', 'two:9093'],
    sasl: { mechanism: 'scram-sha-512', username: 'cairn', password: 'open sesame' },
    tls: { ca: 'authority', cert: 'certificate', key: 'key' },
  })
})

it.each([
  [{ CAIRN_KAFKA_BROKERS: 'one' }, 'CAIRN_KAFKA_BROKERS: not host:port'],
  [{ CAIRN_KAFKA_BROKERS: ' , ' }, 'CAIRN_KAFKA_BROKERS: names no broker'],
  [{ CAIRN_KAFKA_PREFIX: 'a/b' }, 'CAIRN_KAFKA_PREFIX: not letters, digits, dot, dash, underscore'],
  [{ CAIRN_KAFKA_PARTITIONS: '0' }, 'CAIRN_KAFKA_PARTITIONS: less than 1'],
  [
    { CAIRN_KAFKA_SASL: 'plain', CAIRN_KAFKA_USERNAME: 'cairn' },
    'CAIRN_KAFKA_PASSWORD: is required with CAIRN_KAFKA_SASL',
  ],
  [{ CAIRN_KAFKA_PASSWORD: 'sesame' }, 'CAIRN_KAFKA_PASSWORD: set, but CAIRN_KAFKA_SASL is not'],
  [{ CAIRN_KAFKA_TLS_CA: 'authority' }, 'CAIRN_KAFKA_TLS_CA: set, but CAIRN_KAFKA_TLS is off'],
  [{ CAIRN_KAFKA_TLS: '1', CAIRN_KAFKA_TLS_KEY: 'key' }, 'CAIRN_KAFKA_TLS_CERT: is required with CAIRN_KAFKA_TLS_KEY'],
])('refuses %j by name and not by value', (env, fault) => {
  expect(() => connectionOf(env)).toThrow(
    expect.objectContaining({ code: 'invalid', message: `The configuration can't be used:\n  ${fault}` }),
  )
})

import { AppError } from '@cairn/contracts/errors'
import { type ConfigRule, commaList, flag, secret, setting, wholeNumber } from '@cairn/contracts/settings'
import * as z from 'zod'

/** Equal in every service and in `setup`. */
export const kafkaConfig = {
  // Some brokers, as host:port, separated by commas. The client discovers the others.
  kafkaBrokers: setting(
    'CAIRN_KAFKA_BROKERS',
    commaList()
      .pipe(z.array(z.string().regex(/^[^\s:]+:\d{1,5}$/, 'not host:port')).min(1, 'names no broker'))
      .default(['127.0.0.1:9092']),
  ),
  // Prefix of topics and groups, so that several installations can share a cluster.
  kafkaPrefix: setting(
    'CAIRN_KAFKA_PREFIX',
    z
      .string()
      .regex(/^[\w.-]{0,100}$/, 'not letters, digits, dot, dash, underscore')
      .default(''),
  ),
  // For each topic that `setup` creates.
  kafkaPartitions: setting('CAIRN_KAFKA_PARTITIONS', wholeNumber({ min: 1, max: 1_000 }).default(12)),
  // Copies of each message: 3 if there are three brokers or more.
  kafkaReplication: setting('CAIRN_KAFKA_REPLICATION', wholeNumber({ min: 1, max: 9 }).default(1)),
  // Unset: no authentication.
  kafkaSasl: setting('CAIRN_KAFKA_SASL', z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional()),
  kafkaUsername: setting('CAIRN_KAFKA_USERNAME', z.string().optional()),
  kafkaPassword: secret('CAIRN_KAFKA_PASSWORD', z.string().optional()),
  // The other TLS settings are PEM: the CA (unset: Node's own list) and this client's certificate.
  kafkaTls: setting('CAIRN_KAFKA_TLS', flag().default(false)),
  kafkaTlsCa: secret('CAIRN_KAFKA_TLS_CA', z.string().optional()),
  kafkaTlsCert: secret('CAIRN_KAFKA_TLS_CERT', z.string().optional()),
  kafkaTlsKey: secret('CAIRN_KAFKA_TLS_KEY', z.string().optional()),
}

const kafkaSettings = z.object(kafkaConfig)
type KafkaSettings = z.output<typeof kafkaSettings>

/** Settings that lack one they require, or are set without the one that enables them. */
export const kafkaRule: ConfigRule = (config) =>
  'kafkaBrokers' in config ? faultsOf(config as Partial<KafkaSettings>) : []

const faultsOf = (config: Partial<KafkaSettings>): string[] => {
  const named = { CAIRN_KAFKA_USERNAME: config.kafkaUsername, CAIRN_KAFKA_PASSWORD: config.kafkaPassword }
  const own = { CAIRN_KAFKA_TLS_CERT: config.kafkaTlsCert, CAIRN_KAFKA_TLS_KEY: config.kafkaTlsKey }
  const isSet = (values: object) =>
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const isMissing = (values: object) =>
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [name] : []))
  const tls = isSet({ CAIRN_KAFKA_TLS_CA: config.kafkaTlsCa, ...own })
  return [
    ...(config.kafkaSasl ? isMissing(named).map((name) => `${name}: is required with CAIRN_KAFKA_SASL`) : []),
    ...(config.kafkaSasl ? [] : isSet(named).map((name) => `${name}: set, but CAIRN_KAFKA_SASL is not`)),
    ...(config.kafkaTls ? [] : tls.map((name) => `${name}: set, but CAIRN_KAFKA_TLS is off`)),
    ...(isSet(own).length === 1 ? isMissing(own).map((name) => `${name}: is required with ${isSet(own)[0]}`) : []),
  ]
}

/** AppError `invalid` names the settings that contradict each other. */
export const kafkaConnection = (config: KafkaSettings) => {
  const faults = faultsOf(config)
  if (faults.length > 0) throw new AppError('invalid', `The configuration can't be used:\n  ${faults.join('\n  ')}`)
  const { kafkaSasl: mechanism, kafkaUsername: username = '', kafkaPassword: password = '' } = config
  return {
    brokers: config.kafkaBrokers,
    sasl: mechanism && { mechanism, username, password },
    tls: config.kafkaTls ? { ca: config.kafkaTlsCa, cert: config.kafkaTlsCert, key: config.kafkaTlsKey } : undefined,
  }
}

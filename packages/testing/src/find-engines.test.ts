import { writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import type { EngineName } from './engine-table.ts'
import type { Engine } from './engines.ts'
import { findEngines, type Variables, type Whereabouts } from './find-engines.ts'
import { temporaryFile } from './temporary.ts'

const noVariables: Variables = {}
const noContainers: Engine = { reason: "containers can't be started (no daemon)" }

/** Creates a machine that has no engines except `given`. */
const machine = (given: Partial<Whereabouts>): Whereabouts => ({
  environment: noVariables,
  native: async () => noVariables,
  containers: async (names) => new Map(names.map((name) => [name, noContainers])),
  ...given,
})

const kafkaAt = (address: string) => ({ settings: { CAIRN_KAFKA_BROKERS: address } })
const secondS3 = {
  CAIRN_SEAWEEDFS_ENDPOINT: 'http://127.0.0.1:8333',
  CAIRN_SEAWEEDFS_ACCESS_KEY_ID: 'user',
  CAIRN_SEAWEEDFS_SECRET_ACCESS_KEY: 'password',
}
const s3Settings = {
  CAIRN_S3_ENDPOINT: 'http://127.0.0.1:8333',
  CAIRN_S3_ACCESS_KEY_ID: 'user',
  CAIRN_S3_SECRET_ACCESS_KEY: 'password',
  CAIRN_S3_REGION: 'us-east-1',
  CAIRN_S3_PATH_STYLE: 'on',
}

describe('the search for engines', () => {
  it('takes the one the environment names and asks nowhere else', async () => {
    const native = vi.fn<Whereabouts['native']>()
    const containers = vi.fn<Whereabouts['containers']>()
    const startNative = vi.fn<NonNullable<Whereabouts['startNative']>>()
    const found = await findEngines(['kafka'], {
      environment: { CAIRN_KAFKA_BROKERS: 'broker:9092' },
      native,
      startNative,
      containers,
    })
    expect(found.get('kafka')).toEqual(kafkaAt('broker:9092'))
    expect([native, startNative, containers].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0])
  })

  it('asks for the missing ones only, at each place', async () => {
    const asked: EngineName[][] = []
    const found = await findEngines(
      ['kafka', 'mongodb', 'qdrant'],
      machine({
        environment: { CAIRN_QDRANT_URL: 'http://qdrant:6333' },
        native: async (names) => {
          asked.push([...names])
          return { CAIRN_KAFKA_BROKERS: '127.0.0.1:9092' }
        },
        containers: async (names) => {
          asked.push([...names])
          return new Map([['mongodb', { settings: { CAIRN_MONGODB_URL: 'mongodb://localhost:32768' } }]])
        },
      }),
    )
    expect(asked).toEqual([['kafka', 'mongodb'], ['mongodb']])
    expect(Object.fromEntries(found)).toEqual({
      kafka: kafkaAt('127.0.0.1:9092'),
      mongodb: { settings: { CAIRN_MONGODB_URL: 'mongodb://localhost:32768' } },
      qdrant: { settings: { CAIRN_QDRANT_URL: 'http://qdrant:6333', CAIRN_QDRANT_API_KEY: '' } },
    })
  })

  it('starts natively what is missing when it may, and then reads where it is', async () => {
    let running: Variables = noVariables
    const containers = vi.fn<Whereabouts['containers']>()
    const startNative = vi.fn(async () => {
      running = { CAIRN_KAFKA_BROKERS: '127.0.0.1:19092' }
    })
    const found = await findEngines(['kafka'], machine({ native: async () => running, startNative, containers }))
    expect(startNative).toHaveBeenCalledExactlyOnceWith(['kafka'])
    expect(found.get('kafka')).toEqual(kafkaAt('127.0.0.1:19092'))
    expect(containers).not.toHaveBeenCalled()
  })

  it('goes on to containers with what could not be started natively, and keeps what could', async () => {
    const running: Variables[] = [noVariables, { CAIRN_KAFKA_BROKERS: '127.0.0.1:9092' }]
    const startNative = () => Promise.reject(new Error('engines.sh up ended with 1'))
    const found = await findEngines(
      ['kafka', 'mongodb'],
      machine({ native: async () => running.shift() ?? noVariables, startNative }),
    )
    expect(found.get('kafka')).toEqual(kafkaAt('127.0.0.1:9092'))
    expect(found.get('mongodb')).toEqual({
      reason:
        "CAIRN_MONGODB_URL is not set, it can't be started natively (engines.sh up ended with 1), and containers can't be started (no daemon)",
    })
  })

  it('says at which places an engine is not', async () => {
    const found = await findEngines(['kafka'], machine({}))
    expect(found.get('kafka')).toEqual({
      reason: "CAIRN_KAFKA_BROKERS is not set, it does not run natively, and containers can't be started (no daemon)",
    })
  })

  it('takes no other engine when the environment names one without its credentials', async () => {
    const environment = { CAIRN_S3_ENDPOINT: 'http://127.0.0.1:9000', CAIRN_S3_ACCESS_KEY_ID: 'user' }
    const native = vi.fn<Whereabouts['native']>()
    const found = await findEngines(['minio'], machine({ environment, native }))
    expect(found.get('minio')).toEqual({ reason: 'CAIRN_S3_ENDPOINT is set, but CAIRN_S3_SECRET_ACCESS_KEY is not' })
    expect(native).not.toHaveBeenCalled()
  })

  it('gives the second S3 server under the settings of an S3 server, beside the first', async () => {
    const environment = { ...secondS3, ...s3Settings, CAIRN_S3_ENDPOINT: 'http://127.0.0.1:9000' }
    const found = await findEngines(['minio', 'seaweedfs'], machine({ environment }))
    expect(found.get('seaweedfs')).toEqual({ settings: s3Settings })
    expect(found.get('minio')).toEqual({
      settings: { ...s3Settings, CAIRN_OBJECT_EVENTS: 'off', CAIRN_S3_ENDPOINT: 'http://127.0.0.1:9000' },
    })
  })

  it('reads a secret from the file that is named, and takes an empty variable for none', async () => {
    const file = temporaryFile()
    writeFileSync(file, 'a key\n')
    const environment = {
      CAIRN_QDRANT_URL: 'http://qdrant:6333',
      CAIRN_QDRANT_API_KEY_FILE: file,
      CAIRN_KAFKA_BROKERS: '',
    }
    const found = await findEngines(['qdrant', 'kafka'], machine({ environment }))
    expect(found.get('qdrant')).toEqual({
      settings: { CAIRN_QDRANT_URL: 'http://qdrant:6333', CAIRN_QDRANT_API_KEY: 'a key' },
    })
    expect(found.get('kafka')).toHaveProperty('reason')
  })

  it('asks nowhere when no engine is wanted', async () => {
    const native = vi.fn<Whereabouts['native']>()
    const containers = vi.fn<Whereabouts['containers']>()
    expect((await findEngines([], machine({ native, containers }))).size).toBe(0)
    expect([native, containers].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  })
})

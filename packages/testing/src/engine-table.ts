import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { StartedTestContainer } from 'testcontainers'

type Testcontainers = typeof import('testcontainers')
type Started = { readonly container: StartedTestContainer; readonly settings: Readonly<Record<string, string>> }
type TestEngine = {
  /**
   * Connection settings of the engine: environment variables with defaults (null: required). The first is the address.
   */
  readonly settings: Readonly<Record<string, string | null>>
  /** Returns the environment variable of a setting, if its name differs. */
  readonly variableOf?: (setting: string) => string
  /** Starts the engine in a container and returns its required settings. Undefined: the engine has no image. */
  readonly start?: (testcontainers: Testcontainers) => Promise<Started>
}

const startupMs = 120_000

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

const kafka = async ({ GenericContainer, Wait, getContainerRuntimeClient }: Testcontainers): Promise<Started> => {
  // A broker advertises its own address, so the published port must be known before the broker starts.
  const port = await freePort()
  const { host } = (await getContainerRuntimeClient()).info.containerRuntime
  const container = await new GenericContainer('apache/kafka:4.3.1')
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      // OUTSIDE is for clients, INSIDE for the broker's own connections, which can't use the published address.
      KAFKA_LISTENERS: 'OUTSIDE://:9092,INSIDE://localhost:9094,CONTROLLER://localhost:9093',
      KAFKA_ADVERTISED_LISTENERS: `OUTSIDE://${host}:${port},INSIDE://localhost:9094`,
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'OUTSIDE:PLAINTEXT,INSIDE:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'INSIDE',
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '1',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .withStartupTimeout(startupMs)
    .start()
  // The first request about a group makes the broker create its topic of groups, and reject members until the topic is
  // loaded. This command repeats the request until it is answered; an unknown group is an answer too.
  await container.exec(
    '/opt/kafka/bin/kafka-consumer-groups.sh --bootstrap-server localhost:9094 --describe --group none'.split(' '),
  )
  return { container, settings: { CAIRN_KAFKA_BROKERS: `${host}:${port}` } }
}

const mongodb = async ({ GenericContainer, Wait }: Testcontainers): Promise<Started> => {
  const container = await new GenericContainer('mongo:8.0.17')
    .withCommand(['--replSet', 'rs0', '--bind_ip_all'])
    .withExposedPorts(27017)
    .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/))
    .withStartupTimeout(startupMs)
    .start()
  const initiate = `rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'localhost:27017' }] })`
  const becomePrimary = 'while (!db.hello().isWritablePrimary) sleep(50)'
  const { exitCode, output } = await container.exec(['mongosh', '--quiet', '--eval', `${initiate}; ${becomePrimary}`])
  if (exitCode !== 0) throw new Error(`the replica set was not initiated: ${output}`)
  // Connects directly, because the member's own host name can't be resolved outside of its container.
  const url = `mongodb://${container.getHost()}:${container.getMappedPort(27017)}/?directConnection=true`
  return { container, settings: { CAIRN_MONGODB_URL: url } }
}

const qdrant = async ({ GenericContainer, Wait }: Testcontainers): Promise<Started> => {
  const container = await new GenericContainer('qdrant/qdrant:v1.18.3')
    .withExposedPorts(6333)
    .withEnvironment({ QDRANT__TELEMETRY_DISABLED: 'true' })
    .withWaitStrategy(Wait.forHttp('/readyz', 6333))
    .withStartupTimeout(startupMs)
    .start()
  const url = `http://${container.getHost()}:${container.getMappedPort(6333)}`
  return { container, settings: { CAIRN_QDRANT_URL: url } }
}

const s3Settings = (container: StartedTestContainer, port: number, user: string, password: string) => ({
  CAIRN_S3_ENDPOINT: `http://${container.getHost()}:${container.getMappedPort(port)}`,
  CAIRN_S3_ACCESS_KEY_ID: user,
  CAIRN_S3_SECRET_ACCESS_KEY: password,
})

const minio = async ({ GenericContainer, Wait }: Testcontainers): Promise<Started> => {
  const [user, password] = ['cairn-tests', randomBytes(16).toString('hex')]
  const container = await new GenericContainer('minio/minio:RELEASE.2025-09-07T16-13-09Z')
    .withExposedPorts(9000)
    .withEnvironment({
      MINIO_ROOT_USER: user,
      MINIO_ROOT_PASSWORD: password,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    })
    .withCommand(['server', '/data'])
    .withWaitStrategy(Wait.forHttp('/minio/health/ready', 9000))
    .withStartupTimeout(startupMs)
    .start()
  return { container, settings: s3Settings(container, 9000, user, password) }
}

const seaweedfs = async ({ GenericContainer, Wait }: Testcontainers): Promise<Started> => {
  const [user, password] = ['cairn-tests', randomBytes(16).toString('hex')]
  const container = await new GenericContainer('chrislusf/seaweedfs:4.53')
    .withExposedPorts(8333, 9333)
    .withEnvironment({ AWS_ACCESS_KEY_ID: user, AWS_SECRET_ACCESS_KEY: password })
    .withCommand(['server', '-s3', '-filer', '-master.telemetry=false', '-master.electionTimeout=1s'])
    // A volume can be written to, some seconds after the server listens.
    .withWaitStrategy(Wait.forAll([Wait.forHttp('/status', 8333), Wait.forHttp('/dir/assign', 9333)]))
    .withStartupTimeout(startupMs)
    .start()
  return { container, settings: s3Settings(container, 8333, user, password) }
}

const s3 = {
  CAIRN_S3_ENDPOINT: null,
  CAIRN_S3_ACCESS_KEY_ID: null,
  CAIRN_S3_SECRET_ACCESS_KEY: null,
  CAIRN_S3_REGION: 'us-east-1',
  CAIRN_S3_PATH_STYLE: 'on',
}

const table = {
  kafka: { settings: { CAIRN_KAFKA_BROKERS: null }, start: kafka },
  mongodb: { settings: { CAIRN_MONGODB_URL: null }, start: mongodb },
  qdrant: { settings: { CAIRN_QDRANT_URL: null, CAIRN_QDRANT_API_KEY: '' }, start: qdrant },
  // Events are off, because no target receives them.
  minio: { settings: { ...s3, CAIRN_OBJECT_EVENTS: 'off' }, start: minio },
  // Second S3 server: the adapter gets S3 settings, from variables with another name.
  seaweedfs: { settings: s3, variableOf: (setting) => setting.replace('_S3_', '_SEAWEEDFS_'), start: seaweedfs },
} satisfies Readonly<Record<string, TestEngine>>

export type EngineName = keyof typeof table

/** Engines that tests may need. `infra/native/<name>/engine.sh` runs an engine natively. */
export const engineTable: Readonly<Record<EngineName, TestEngine>> = table

export const engineNames = Object.keys(table) as readonly EngineName[]

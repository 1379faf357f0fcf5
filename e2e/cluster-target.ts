import { randomBytes } from 'node:crypto'
import { engineConfig } from '@cairn/adapters/cluster-settings'
import { s3Config } from '@cairn/adapters/file-store/s3/settings'
import { environmentNames } from '@cairn/runtime/config/config'
import { generateApiKey } from '@cairn/runtime/http/api-key'
import { nativeSettings } from '@cairn/testing/native-engines'
import * as z from 'zod'
import { type Cluster, type ClusterOptions, setUpCluster, startCluster } from '../scripts/cluster/cluster.ts'

const readyWithinMs = 90_000

/** Separate processes on real engines (or their stand-ins), with separate topics, database and collections. */
export type ClusterTarget = {
  readonly url: string
  /** A key of the first account, with every scope. */
  readonly apiKey: string
  readonly adminKey: string
  /** Metrics URLs of every process. */
  readonly metricsUrls: readonly string[]
  /** Undefined, because a cluster has several processes. */
  readonly pid: undefined
  stop(): Promise<void>
  readonly cluster: Cluster
  /** Environment of the processes. */
  readonly env: Readonly<Record<string, string>>
  /** Returns all output of the processes so far, each line prefixed with the process name. */
  logs(): string
}

export type ClusterTargetOptions = Pick<ClusterOptions, 'replicas' | 'restartAfterMs' | 'onEnd'> & {
  /** Settings of the engines, as environment variables. Default: the result of `engineSettings`. */
  readonly engines?: Readonly<Record<string, string>>
  /** Settings of the processes, which override the generated ones. */
  readonly env?: Readonly<Record<string, string>>
  readonly onLine?: (name: string, line: string) => void
}

/** Environment variables of every engine, as declared by the adapters. */
export const engineVariables: ReadonlySet<string> = new Set(
  environmentNames(z.object({ ...engineConfig, ...s3Config })),
)

/**
 * Returns the engines' settings as environment variables, from the environment or from the engines that run natively.
 */
export const engineSettings = async (): Promise<Record<string, string>> => {
  const given = Object.entries(process.env).filter(([name]) => engineVariables.has(name))
  if (process.env['CAIRN_KAFKA_BROKERS']) return Object.fromEntries(given as [string, string][])
  const found = await nativeSettings(process.env)
  if (found['CAIRN_KAFKA_BROKERS'] === undefined)
    throw new Error(
      'E2E_TARGET=cluster needs engines: `infra/native/engines.sh up`, or their settings in the environment',
    )
  return found
}

/**
 * Returns settings of a cluster with separate topics, database, collections and bucket. The given settings override
 * these.
 */
export const clusterSettings = async (
  given: Readonly<Record<string, string>> = {},
  engines?: Readonly<Record<string, string>>,
) => {
  const own = `e2e-${process.pid.toString(36)}-${randomBytes(3).toString('hex')}`
  return {
    ...(engines ?? (await engineSettings())),
    CAIRN_KAFKA_PREFIX: `${own}.`,
    CAIRN_KAFKA_PARTITIONS: '6',
    CAIRN_MONGODB_DATABASE: own,
    CAIRN_QDRANT_PREFIX: `${own}-`,
    CAIRN_S3_BUCKET: own,
    // The store sends its events to a single topic, which has no prefix.
    CAIRN_OBJECT_EVENTS: 'off',
    CAIRN_EMBEDDER: 'lexical',
    CAIRN_LOG_LEVEL: 'info',
    CAIRN_SECRET: randomBytes(48).toString('base64'),
    CAIRN_ADMIN_KEY: randomBytes(32).toString('base64url'),
    CAIRN_API_KEY: generateApiKey().apiKey,
    ...given,
  }
}

export const startClusterTarget = async (options: ClusterTargetOptions = {}): Promise<ClusterTarget> => {
  const env = await clusterSettings(options.env, options.engines)
  let output = ''
  await setUpCluster(env)
  const { replicas, restartAfterMs, onEnd } = options
  const cluster = startCluster({
    port: 0,
    env,
    onLine: (name, line) => {
      output += `${name} ${line}\n`
      options.onLine?.(name, line)
    },
    ...(replicas ? { replicas } : {}),
    ...(onEnd ? { onEnd } : {}),
    ...(restartAfterMs === undefined ? {} : { restartAfterMs }),
  })
  try {
    await cluster.ready(readyWithinMs)
  } catch (error) {
    await cluster.stop()
    throw new Error(`the cluster did not become ready:\n${output.slice(-8_000)}`, { cause: error })
  }
  return {
    url: cluster.url(),
    metricsUrls: cluster.processes.map((one) => `http://127.0.0.1:${one.port()}/metrics`),
    apiKey: env.CAIRN_API_KEY,
    adminKey: env.CAIRN_ADMIN_KEY,
    pid: undefined,
    cluster,
    env,
    logs: () => output,
    stop: async () => {
      const failed = await cluster.stop()
      if (failed.length > 0) throw new Error(`did not end in order: ${failed.join(', ')}\n${output.slice(-8_000)}`)
    },
  }
}

import { randomBytes } from 'node:crypto'
import { type ClusterTargetOptions, engineVariables, startClusterTarget } from '../../e2e/cluster-target.ts'
import { pin } from './cores.ts'
import { removeTraces, type Settings } from './engines.ts'
import { sendOnce } from './http-load.ts'
import type { OpenSide } from './open-sides.ts'
import { processorSeconds } from './processor-time.ts'
import type { Context, OpenRow } from './row.ts'
import { requestBytes } from './upload-request.ts'

/** The product as a cluster of processes, with separate topics, database and collections. */
export type ClusterProduct = {
  /** Port of the only gateway. */
  readonly port: number
  readonly gatewayPid: number
  /** API key of the first account, which has no limits. */
  readonly apiKey: string
  /** Settings of the cluster's engines, with prefixes that are unique to the cluster. */
  readonly settings: Settings
  /** Returns the processor time that the gateway has used so far, in microseconds. */
  gatewayCpu(): number
  /** Adds an account without limits; resolves to the API key. */
  addAccount(name: string): Promise<string>
  /** Stops the processes and removes their data from the engines. */
  close(): Promise<void>
}

export type ClusterProductOptions = Pick<ClusterTargetOptions, 'replicas' | 'env'>

/** Shared by all runs, because a bucket per run would remain. Rows that store files remove them. */
const bucket = 'cairn-bench'

/** Starts a cluster; the caller closes it. */
export const startClusterProduct = async (
  { subjectCore, nodeFlags }: Context,
  { replicas = {}, env = {} }: ClusterProductOptions,
): Promise<ClusterProduct> => {
  const flags = nodeFlags.length === 0 ? {} : { NODE_OPTIONS: nodeFlags.join(' ') }
  // Each cluster is a separate installation, which ignores the objects of others.
  const s3 = { CAIRN_S3_BUCKET: bucket, CAIRN_S3_PREFIX: `bench-${randomBytes(8).toString('hex')}` }
  const target = await startClusterTarget({ replicas, env: { NODE_ENV: 'production', ...s3, ...env, ...flags } })
  const [gateway] = target.cluster.of('gateway')
  const pid = gateway?.pid() ?? 0
  const port = gateway?.port() ?? 0
  if (subjectCore !== undefined) pin(pid, subjectCore)
  const { apiKey, adminKey } = target
  const ofEngines = Object.entries(target.env).filter(([name]) => engineVariables.has(name))
  const settings = Object.fromEntries(ofEngines)
  return {
    port,
    gatewayPid: pid,
    apiKey,
    settings,
    gatewayCpu: () => processorSeconds(pid) * 1_000_000,
    addAccount: async (name) => {
      const post = async <T>(path: string, body: object): Promise<T> => {
        const answer = await sendOnce(port, requestBytes('POST', path, { 'x-admin-key': adminKey }, body))
        if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}: ${answer.body}`)
        return JSON.parse(answer.body.toString()) as T
      }
      const account = await post<{ account_id: string }>('/admin/v1/accounts', { name, tier: 'enterprise' })
      return (await post<{ api_key: string }>(`/admin/v1/accounts/${account.account_id}/keys`, { name })).api_key
    },
    close: async () => {
      const failed = await target.cluster.stop()
      // Reported and not thrown, because an error here would hide the figures or an earlier error.
      if (failed.length > 0) process.stderr.write(`  did not end in order: ${failed.join(', ')}\n`)
      await removeTraces(settings)
    },
  }
}

/**
 * Starts a cluster for a row or one side of it, and closes the cluster if `open` fails. In a pinned row, the gateway
 * runs on the measured core; all other processes share the load's core.
 */
export const withCluster = async <T extends OpenRow | OpenSide>(
  context: Context,
  options: ClusterProductOptions,
  open: (product: ClusterProduct) => Promise<T>,
): Promise<T> => {
  const product = await startClusterProduct(context, options)
  try {
    return await open(product)
  } catch (error) {
    await product.close()
    throw error
  }
}

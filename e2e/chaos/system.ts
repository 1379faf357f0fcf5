import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultTiers, type Tiers } from '@cairn/domain/accounts/tiers'
import { createLedger } from '@cairn/testing/ledger'
import { type ClusterEngine, clusterEngines } from '@cairn/testing/native-engines'
import { type ClusterTarget, startClusterTarget } from '../cluster-target.ts'
import { openEngines } from './engines.ts'
import { openGateways } from './gateways.ts'
import type { Account } from './load.ts'
import type { Outcome } from './report.ts'

/** Number of processes of each service. */
export const replicas = { gateway: 2, namespace: 1, ingestion: 2, 'file-pipeline': 1, deletion: 1 } as const

/** Process names, as the cluster assigns them. */
export const processNames: readonly string[] = Object.entries(replicas).flatMap(([service, count]) =>
  count === 1 ? [service] : Array.from({ length: count }, (_, index) => `${service}-${index + 1}`),
)

const restartAfterMs = 1_000

/** Sends requests to the admin API of a gateway. */
export const askAdmin =
  (url: string, adminKey: string) =>
  async <T>(method: 'POST' | 'PATCH', path: string, body: object): Promise<T> => {
    const response = await fetch(`${url}/admin/v1${path}`, {
      method,
      headers: { 'x-admin-key': adminKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

export type SystemOptions = {
  readonly seed: number
  /** Approximate number of documents in the load; the smallest account may hold a part of them. */
  readonly documents: number
  /** Settings of the services, which override those of every run. */
  readonly env?: Readonly<Record<string, string>>
  /** Called with each engine's folder before the engine's first start there. */
  readonly before?: (engine: ClusterEngine, home: string) => Promise<void>
  /** Called when no engine runs any more, before the engines' folders are removed. */
  readonly after?: () => Promise<void>
}

/** Opens engines, proxies, services and three accounts for one run, in a separate folder. */
const openSystem = async ({ seed, documents, env = {}, before, after }: SystemOptions) => {
  const smallLimit = Math.max(50, Math.round(documents / 12))
  const folder = mkdtempSync(join(tmpdir(), 'cairn-chaos-'))
  const logs = join(folder, 'logs')
  const scratch = join(folder, 'scratch')
  mkdirSync(logs)
  const tiers: Tiers = {
    ...defaultTiers,
    small: {
      namespaces: 3,
      documents: smallLimit,
      vectors: smallLimit,
      requests: null,
      bytes: null,
      openUploads: null,
    },
  }
  const tiersFile = join(folder, 'tiers.json')
  writeFileSync(tiersFile, JSON.stringify(tiers))
  const removeFiles = () => rmSync(folder, { recursive: true, force: true })
  // On a signal, files are removed after the engines' exit handler, which is registered to run first.
  process.once('exit', removeFiles)
  const engines = await openEngines({ directory: join(folder, 'engines'), ...(before ? { before } : {}) }).catch(
    (error: unknown) => {
      process.off('exit', removeFiles)
      removeFiles()
      throw error
    },
  )
  const lines: { readonly name: string; readonly line: string }[] = []
  const ended: { readonly name: string; readonly how: number | string }[] = []
  let target: ClusterTarget | undefined
  const copyLogs = () => {
    for (const engine of clusterEngines) {
      const log = join(engines.home(engine), 'engine.log')
      if (existsSync(log)) copyFileSync(log, join(logs, `engine-${engine}.log`))
    }
  }
  const close = async (keepLogs: boolean) => {
    await target?.cluster.stop()
    await engines.close()
    process.off('exit', removeFiles)
    copyLogs()
    await after?.()
    if (!keepLogs) return removeFiles()
    rmSync(join(folder, 'engines'), { recursive: true, force: true })
  }
  try {
    target = await startClusterTarget({
      engines: engines.settings,
      replicas,
      restartAfterMs,
      env: { CAIRN_TIERS_FILE: tiersFile, CAIRN_SCRATCH_DIR: scratch, ...env },
      onLine: (name, line) => {
        lines.push({ name, line })
        appendFileSync(join(logs, `${name}.log`), `${line}\n`)
      },
      onEnd: (name, how) => void ended.push({ name, how }),
    })
    const ledger = createLedger()
    const accounts: Account[] = []
    const admin = askAdmin(target.url, target.adminKey)
    for (const tier of ['enterprise', 'professional', 'small']) {
      const { account_id: accountId } = await admin<{ account_id: string }>('POST', '/accounts', {
        name: `chaos ${tier}`,
        tier,
      })
      const { api_key: apiKey } = await admin<{ api_key: string }>('POST', `/accounts/${accountId}/keys`, {
        name: 'chaos',
      })
      accounts.push({ accountId, apiKey })
    }
    const { client, endedAt } = openGateways({ cluster: target.cluster, ledger, seed })
    return {
      folder,
      logs,
      /** Folder for files while they are being read. */
      scratch,
      tiers,
      engines,
      target,
      cluster: target.cluster,
      accounts,
      ledger,
      client,
      /** Time when each request ended, by `performance.now()`. */
      endedAt,
      /** All output lines of the service processes. */
      lines,
      /** Service processes that exited by themselves. */
      ended,
      /** Stops everything that still runs. The logs are kept on request. */
      close,
    }
  } catch (error) {
    await close(true)
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nlogs: ${logs}`, { cause: error })
  }
}

export type System = Awaited<ReturnType<typeof openSystem>>

/**
 * Calls `run` with a new system and removes the system afterwards. The logs are kept if a promise was broken or `run`
 * rejected.
 */
export const withSystem = async (
  options: SystemOptions,
  run: (system: System) => Promise<Omit<Outcome, 'logs' | 'seconds'>>,
): Promise<Outcome> => {
  const from = performance.now()
  const system = await openSystem(options)
  let keepLogs = true
  try {
    const outcome = await run(system)
    keepLogs = outcome.broken.length > 0
    return { ...outcome, logs: system.logs, seconds: Math.round((performance.now() - from) / 1_000) }
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.stack : String(error)}\nlogs: ${system.logs}`, { cause: error })
  } finally {
    await system.close(keepLogs)
  }
}

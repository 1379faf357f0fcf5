import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
export const enginesScript = join(import.meta.dirname, '../../../infra/native/engines.sh')

/** The engines of a cluster. */
export const clusterEngines = ['kafka', 'mongodb', 'qdrant', 'minio'] as const
export type ClusterEngine = (typeof clusterEngines)[number]

type Environment = Readonly<Record<string, string | undefined>>

const engines = (env: Environment, ...args: readonly string[]) =>
  run('bash', [enginesScript, ...args], { env: env as NodeJS.ProcessEnv, maxBuffer: 64 << 20 })

/** Parses the lines `export NAME=value` that `engines.sh env` prints. */
export const exportedSettings = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = '', quoted = '']) => [
      name,
      quoted.replace(/\\(.)/g, '$1'),
    ]),
  )

/** Returns the settings of the engines that run natively, by the environment variables of a service. */
export const nativeSettings = async (
  env: Environment,
  names: readonly string[] = [],
): Promise<Record<string, string>> => exportedSettings((await engines(env, 'env', ...names)).stdout)

/**
 * Starts the engines of a cluster that are not running. The first start downloads and builds for minutes. Resolves to
 * the text of the standard error.
 */
export const startNatively = async (env: Environment): Promise<string> =>
  (await engines(env, 'up', ...clusterEngines)).stderr

export const stopNatively = async (env: Environment, names: readonly string[]): Promise<void> => {
  if (names.length > 0) await engines(env, 'down', ...names)
}

/** Returns the names of engines that run and answer. */
export const runningNatively = async (env: Environment): Promise<string[]> => {
  // The command fails unless all engines run.
  const { stdout } = await engines(env, 'status', ...clusterEngines).catch((error: { readonly stdout?: string }) => ({
    stdout: error.stdout ?? '',
  }))
  return clusterEngines.filter((engine) => new RegExp(`^${engine}\\s+runs:`, 'm').test(stdout))
}

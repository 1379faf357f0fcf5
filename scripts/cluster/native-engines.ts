import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const script = join(import.meta.dirname, '../../infra/native/engines.sh')

/** Those of a cluster. */
export const clusterEngines = ['kafka', 'mongodb', 'qdrant', 'minio'] as const

type Environment = Readonly<Record<string, string | undefined>>

const engines = (env: Environment, ...args: readonly string[]) =>
  run('bash', [script, ...args], { env: env as NodeJS.ProcessEnv, maxBuffer: 64 << 20 })

/** The settings that reach the engines that run natively, as the environment of a service names them. */
export const nativeSettings = async (env: Environment): Promise<Record<string, string>> => {
  const { stdout } = await engines(env, 'env')
  return Object.fromEntries(
    [...stdout.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name = '', quoted = '']) => [name, quoted.replace(/\\(.)/g, '$1')]),
  )
}

/** Starts what does not run; the first time that fetches and builds for minutes. Resolves to what it has said. */
export const startNatively = async (env: Environment): Promise<string> => (await engines(env, 'up', ...clusterEngines)).stderr

export const stopNatively = async (env: Environment, names: readonly string[]): Promise<void> => {
  if (names.length > 0) await engines(env, 'down', ...names)
}

/** Those that run and answer. */
export const runningNatively = async (env: Environment): Promise<string[]> => {
  // Its exit code says whether all do.
  const { stdout } = await engines(env, 'status', ...clusterEngines).catch((error: { readonly stdout?: string }) => ({
    stdout: error.stdout ?? '',
  }))
  return clusterEngines.filter((engine) => new RegExp(`^${engine}\\s+runs:`, 'm').test(stdout))
}

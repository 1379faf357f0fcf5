import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ServiceProcess, serviceProcess } from './service-process.ts'

const root = join(import.meta.dirname, '../..')

/** Services that run as separate processes, in start order. */
export const clusterServices = ['gateway', 'namespace', 'ingestion', 'file-pipeline', 'deletion'] as const
export type ClusterService = (typeof clusterServices)[number]

export type ClusterOptions = {
  /** Number of processes of each service. Default: 1. */
  readonly replicas?: { readonly [S in ClusterService]?: number }
  /** Port of the first gateway; all other processes use the ports after it. 0: any free ports. */
  readonly port: number
  /** Environment of the processes: URLs of the engines, secrets, and all other settings. */
  readonly env: Readonly<Record<string, string>>
  readonly onLine?: (name: string, line: string) => void
  /** Called for each process that exited without `stop` or `kill`. */
  readonly onEnd?: (name: string, how: number | string) => void
  readonly restartAfterMs?: number
}

export type Cluster = {
  /** Returns the URL of the first gateway. */
  url(): string
  readonly processes: readonly ServiceProcess[]
  of(service: ClusterService): readonly ServiceProcess[]
  /** Starts another process of a service, at any free port. A stopped process stays in the list. */
  add(service: ClusterService, name: string): ServiceProcess
  /** Resolves when every process that should run answers /readyz with 200. */
  ready(withinMs: number): Promise<void>
  /** Stops all processes at once; resolves to the names of those whose exit code was not 0. */
  stop(): Promise<string[]>
}

const kept = [
  'PATH',
  'HOME',
  'NODE_ENV',
  'TMPDIR',
  'LANG',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'XDG_CACHE_HOME',
  'TZ',
]

/** Returns an environment of the common variables of the developer's shell, plus `own`. */
const environment = (own: Readonly<Record<string, string>>): Record<string, string | undefined> => ({
  ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
  ...own,
})

/**
 * Creates topics and everything else that the services need, and migrates stored data, without a time limit; may be
 * repeated. Resolves to the output; `onOutput` receives the output while it is written.
 */
export const setUpCluster = async (
  env: Readonly<Record<string, string>>,
  onOutput: (text: string) => void = () => undefined,
): Promise<string> => {
  const child = spawn(process.execPath, [join(root, 'services/setup/src/main.ts')], {
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killWithUs = () => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      onOutput(text)
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  process.off('exit', killWithUs)
  if (code !== 0) throw new Error(`setup ended with ${code}:\n${output}`)
  return output
}

/** Whether `/readyz` answers 200. */
export const isReady = async (url: string): Promise<boolean> => {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) })
    await answer.arrayBuffer()
    return answer.status === 200
  } catch {
    return false
  }
}

/**
 * Node options per service. Services that stream large files get a small young generation, which V8 would otherwise let
 * grow to 100 MB. The limit would cost the gateway a sixth of its throughput, so the gateway has the default.
 */
const ofService: { readonly [S in ClusterService]?: Readonly<Record<string, string>> } = {
  ingestion: { NODE_OPTIONS: '--max-semi-space-size=8' },
  'file-pipeline': { NODE_OPTIONS: '--max-semi-space-size=8' },
}

/** Starts the processes, which wait for their engines themselves. */
export const startCluster = (options: ClusterOptions): Cluster => {
  const { replicas = {}, port, env, onLine = () => undefined, onEnd, restartAfterMs } = options
  const processes: ServiceProcess[] = []
  const create = (service: ClusterService, name: string, own: number) => {
    const one = serviceProcess({
      name,
      service,
      main: join(root, `services/${service}/src/main.ts`),
      env: environment({ ...ofService[service], ...env, PORT: String(own) }),
      onLine,
      ...(onEnd ? { onEnd } : {}),
      ...(restartAfterMs === undefined ? {} : { restartAfterMs }),
    })
    processes.push(one)
    return one
  }
  for (const service of clusterServices) {
    const count = replicas[service] ?? 1
    for (let index = 1; index <= count; index += 1) {
      const name = count === 1 ? service : `${service}-${index}`
      create(service, name, port === 0 ? 0 : port + processes.length)
    }
  }
  for (const one of processes) one.start()
  const of = (service: ClusterService) => processes.filter((one) => one.service === service)
  return {
    url: () => `http://127.0.0.1:${of('gateway')[0]?.port()}`,
    processes,
    of,
    add: (service, name) => {
      const one = create(service, name, 0)
      one.start()
      return one
    },
    ready: async (withinMs) => {
      const until = performance.now() + withinMs
      let waiting = processes.filter((one) => one.shouldRun())
      for (;;) {
        const ready = await Promise.all(
          waiting.map(async (one) => one.port() !== 0 && (await isReady(`http://127.0.0.1:${one.port()}`))),
        )
        waiting = waiting.filter((_, index) => !ready[index])
        if (waiting.length === 0) return
        if (performance.now() > until) throw new Error(`not ready: ${waiting.map(({ name }) => name).join(', ')}`)
        await pause(100)
      }
    },
    stop: async () => {
      const codes = await Promise.all(processes.map(async (one) => ({ name: one.name, code: await one.stop() })))
      return codes.flatMap(({ name, code }) => (code === 0 ? [] : [name]))
    },
  }
}

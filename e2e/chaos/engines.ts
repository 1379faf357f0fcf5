import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { addressOf } from '@cairn/testing/find-engines'
import { type ClusterEngine, clusterEngines, enginesScript, exportedSettings } from '@cairn/testing/native-engines'
import { freePorts } from './free-ports.ts'
import { killNow, processesOf } from './processes-of.ts'
import { pathToProxiedKafka } from './proxied-kafka.ts'
import { type GroupRun, runInGroup } from './run-in-group.ts'
import type { LinkTrouble } from './schedule.ts'
import { toxiproxy } from './toxiproxy.ts'

const run = promisify(execFile)

/** A first start fetches and builds what is missing. */
const upWithinMs = 20 * 60_000
const downWithinMs = 90_000
const goneWithinMs = 10_000

/** Engines of a run's own: on other ports and folders than anybody else's, reached by the services through a proxy only. */
export type Engines = {
  /** What the services are told: the proxies. */
  readonly settings: Readonly<Record<string, string>>
  /** The engines themselves, for whoever looks on. */
  readonly direct: Readonly<Record<string, string>>
  home(engine: ClusterEngine): string
  signal(engine: ClusterEngine, signal: 'SIGSTOP' | 'SIGCONT'): void
  /** SIGKILL, and waits until it is gone. */
  kill(engine: Exclude<ClusterEngine, 'mongodb'>): Promise<void>
  /** SIGTERM, and waits until it has ended. */
  stop(engine: ClusterEngine): Promise<void>
  /** Whether it runs and answers. */
  answers(engine: ClusterEngine): Promise<boolean>
  /** Nothing when it runs. */
  start(engine: ClusterEngine): Promise<void>
  /** Resolves to what undoes it. */
  trouble(engine: ClusterEngine, trouble: LinkTrouble): Promise<() => Promise<void>>
  /** Every link whole, every engine going on. */
  heal(): Promise<void>
  close(): Promise<void>
}

/** The port in an address of any form. */
const portIn = (address: string): number => Number(/:(\d+)/.exec(address.replace(/^[a-z]+:\/\//, ''))?.[1])

/** The process that a pid file speaks of, if it is still the one that was started in this folder. */
const pidIn = (home: string): number | undefined => {
  try {
    const pid = Number(readFileSync(join(home, 'pid'), 'utf8'))
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${home}/`) ? pid : undefined
  } catch {
    return undefined
  }
}

/** `before` is told each engine's folder before the engine is started there for the first time. */
export const openEngines = async (options: {
  readonly directory: string
  readonly before?: (engine: ClusterEngine, home: string) => Promise<void>
}): Promise<Engines> => {
  const { directory, before } = options
  const [kafka = 0, controller = 0, proxied = 0, mongodb = 0, qdrant = 0, minio = 0, proxy = 0, ...links] =
    await freePorts(11)
  const linkPort = (engine: ClusterEngine): number => links[clusterEngines.indexOf(engine)] ?? 0
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('CAIRN_') || name === 'CAIRN_ENGINES_CACHE',
  )
  const { stdout: java } = await run('bash', ['-c', 'command -v java || echo java'])
  const env = {
    ...Object.fromEntries(inherited),
    PATH: pathToProxiedKafka({
      folder: join(directory, 'bin'),
      java: java.trim(),
      port: proxied,
      proxyPort: linkPort('kafka'),
    }),
    CAIRN_ENGINES_DIR: directory,
    CAIRN_KAFKA_PORT: String(kafka),
    CAIRN_KAFKA_CONTROLLER_PORT: String(controller),
    CAIRN_MONGODB_PORT: String(mongodb),
    // What it has acknowledged is in its file, whatever becomes of its disk.
    CAIRN_MONGODB_KEEP: 'each',
    CAIRN_QDRANT_PORT: String(qdrant),
    CAIRN_S3_PORT: String(minio),
    CAIRN_TOXIPROXY_PORT: String(proxy),
  }
  let scripts: readonly GroupRun[] = []
  const engines = async (action: string, ...names: readonly string[]): Promise<string> => {
    const own = runInGroup('bash', [enginesScript, action, ...names], {
      env,
      timeoutMs: action === 'up' ? upWithinMs : downWithinMs,
    })
    scripts = [...scripts, own]
    return own.done.finally(() => {
      scripts = scripts.filter((one) => one !== own)
    })
  }
  const home = (engine: ClusterEngine | 'toxiproxy') => join(directory, engine)
  const send = (engine: ClusterEngine | 'toxiproxy', signal: NodeJS.Signals) => {
    const pid = pidIn(home(engine))
    if (pid !== undefined) process.kill(pid, signal)
  }

  // Whatever ends this process without a chance to tidy up: nothing of ours stays behind, also what is just being started and has no pid
  // file yet. Before all else at the end, since the folders go then.
  const killAll = () => {
    for (const one of scripts) one.kill()
    for (const { pid } of processesOf(`${directory}/`)) killNow(pid)
  }
  process.prependOnceListener('exit', killAll)
  const close = async () => {
    // A stopped process takes no SIGTERM.
    for (const engine of clusterEngines) send(engine, 'SIGCONT')
    await engines('down', ...clusterEngines, 'toxiproxy')
    process.off('exit', killAll)
  }

  try {
    for (const engine of clusterEngines) await before?.(engine, home(engine))
    await engines('up', ...clusterEngines, 'toxiproxy')
    const direct = exportedSettings(await engines('env', ...clusterEngines))
    const settings = { ...direct }
    const proxies = toxiproxy(proxy)
    for (const engine of clusterEngines) {
      const address = direct[addressOf(engine)] ?? ''
      await proxies.link(engine, linkPort(engine), engine === 'kafka' ? proxied : portIn(address))
      // A member of a replica set is called by its own name, past the proxy, unless the connection is direct.
      settings[addressOf(engine)] = address
        .replace(`:${portIn(address)}`, `:${linkPort(engine)}`)
        .replace(/replicaSet=[^&]*/, 'directConnection=true')
    }
    return {
      settings,
      direct,
      home,
      signal: send,
      kill: async (engine) => {
        send(engine, 'SIGKILL')
        for (const until = performance.now() + goneWithinMs; pidIn(home(engine)) !== undefined; await pause(20))
          if (performance.now() > until) throw new Error(`${engine} outlives SIGKILL`)
      },
      stop: async (engine) => void (await engines('down', engine)),
      answers: async (engine) =>
        engines('status', engine).then(
          (said) => said.includes('runs:'),
          () => false,
        ),
      start: async (engine) => void (await engines('up', engine)),
      trouble: proxies.trouble,
      heal: async () => {
        await proxies.reset()
        for (const engine of clusterEngines) send(engine, 'SIGCONT')
      },
      close,
    }
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

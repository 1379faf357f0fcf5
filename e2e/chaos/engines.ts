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

/** Time limit for a start in milliseconds; the first start downloads and builds the engines. */
const upWithinMs = 20 * 60_000
const downWithinMs = 90_000
const goneWithinMs = 10_000

/** Engines of one run, on separate ports and folders, which the services reach only through a proxy. */
export type Engines = {
  /** Settings of the services, with the URLs of the proxies. */
  readonly settings: Readonly<Record<string, string>>
  /** Settings with the engines' own URLs, without the proxies, for the test itself. */
  readonly direct: Readonly<Record<string, string>>
  home(engine: ClusterEngine): string
  signal(engine: ClusterEngine, signal: 'SIGSTOP' | 'SIGCONT'): void
  /** Sends SIGKILL and waits until the engine has exited. */
  kill(engine: Exclude<ClusterEngine, 'mongodb'>): Promise<void>
  /** Sends SIGTERM and waits until the engine has exited. */
  stop(engine: ClusterEngine): Promise<void>
  /** Whether the engine runs and answers. */
  answers(engine: ClusterEngine): Promise<boolean>
  /** Starts the engine; does nothing if it runs. */
  start(engine: ClusterEngine): Promise<void>
  /** Applies a fault to the engine's link; resolves to a function that undoes it. */
  trouble(engine: ClusterEngine, trouble: LinkTrouble): Promise<() => Promise<void>>
  /** Restores every link and resumes every engine. */
  heal(): Promise<void>
  close(): Promise<void>
}

/** Returns the port in a URL or address of any form. */
const portIn = (address: string): number => Number(/:(\d+)/.exec(address.replace(/^[a-z]+:\/\//, ''))?.[1])

/** Returns the process id in an engine's pid file, if that process was started in this folder. */
const pidIn = (home: string): number | undefined => {
  try {
    const pid = Number(readFileSync(join(home, 'pid'), 'utf8'))
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${home}/`) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Starts the engines. `before` is called with each engine's folder before the engine's first start there. */
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
    // Writes are synced to the file before they are acknowledged.
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

  // Kills all engines when this process exits without cleaning up, including those that are just being started and have
  // no pid file yet. Runs before all other exit handlers, because those remove the folders.
  const killAll = () => {
    for (const one of scripts) one.kill()
    for (const { pid } of processesOf(`${directory}/`)) killNow(pid)
  }
  process.prependOnceListener('exit', killAll)
  const close = async () => {
    // A process stopped by SIGSTOP does not handle SIGTERM.
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
      // A driver connects to a replica set member by the member's own address, bypassing the proxy, unless the
      // connection is direct.
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

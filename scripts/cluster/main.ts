// npm run cluster [-- --ingestion 3 --gateway 2 …]: runs the engines and all services as processes of this machine.
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { flag } from '@cairn/contracts/settings'
import { gatewayConfig } from '@cairn/gateway/config'
import { generateApiKey } from '@cairn/runtime/http/api-key'
import { toReadable } from '@cairn/runtime/process/logger'
import { buildConsole } from '@cairn/standalone/build-console'
import { openDataDirectory, randomSecret } from '@cairn/standalone/data-directory'
import { addressLines } from '@cairn/standalone/welcome'
import { addressOf } from '@cairn/testing/find-engines'
import {
  clusterEngines,
  nativeSettings,
  runningNatively,
  startNatively,
  stopNatively,
} from '@cairn/testing/native-engines'
import { type ClusterService, clusterServices, setUpCluster, startCluster } from './cluster.ts'

/** Names of the settings with the URLs of the engines. When all of these are set, the script starts no engines. */
const engineSettings = clusterEngines.map(addressOf)
const readyWithinMs = 120_000

const usage = `npm run cluster [-- ${clusterServices.map((service) => `--${service} N`).join(' ')}]

Starts Kafka, MongoDB's stand-in, Qdrant's facade and MinIO (infra/native/engines.sh) and every service as a process of its own.
With ${engineSettings.join(', ')} set, it uses those engines instead.
Data, secrets and keys are kept in CAIRN_DATA_DIR (default ./data), engines in its folder engines.`

const options = {
  ...(Object.fromEntries(clusterServices.map((service) => [service, { type: 'string' }])) as Record<
    ClusterService,
    { type: 'string' }
  >),
  help: { type: 'boolean' },
} as const
const readArguments = () => {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    process.stderr.write(`cairn: ${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`)
    process.exit(1)
  }
}
const values = readArguments()
const print = (text: string) => void process.stdout.write(`${text}\n`)

const replicasOf = (): { [S in ClusterService]?: number } =>
  Object.fromEntries(
    clusterServices.flatMap((service) => {
      const count = values[service]
      if (count === undefined) return []
      if (!/^[1-9]\d?$/.test(count)) throw new Error(`--${service} is a number from 1 to 99`)
      return [[service, Number(count)]]
    }),
  )

const settings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      /^(CAIRN|OTEL)_/.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  )

const startEngines = async (dataDir: string): Promise<{ env: Record<string, string>; stop: () => Promise<void> }> => {
  if (engineSettings.every((name) => process.env[name] || process.env[`${name}_FILE`]))
    return { env: {}, stop: async () => undefined }
  const env = { ...process.env, CAIRN_ENGINES_DIR: process.env['CAIRN_ENGINES_DIR'] ?? join(dataDir, 'engines') }
  const running = await runningNatively(env)
  const ours = clusterEngines.filter((engine) => !running.includes(engine))
  const stop = async () => {
    await stopNatively(env, ours)
    print(
      ours.length > 0
        ? `engines: stopped ${ours.join(', ')}`
        : 'engines: left running, as they were found; `engines.sh down` stops them',
    )
  }
  if (ours.length > 0)
    print(`engines: starting ${ours.join(', ')}; the first time they are fetched and built, which takes some minutes`)
  try {
    print((await startNatively(env)).trim())
    return { env: await nativeSettings(env), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const onlyTheModelIsMissing = async (url: string): Promise<boolean> => {
  try {
    const { dependencies } = (await (await fetch(`${url}/readyz`)).json()) as {
      dependencies: Record<string, { ok: boolean }>
    }
    return Object.entries(dependencies).every(([name, { ok }]) => ok || name === 'embedder')
  } catch {
    return false
  }
}

const main = async () => {
  const replicas = replicasOf()
  const dataDir = resolve(process.env['CAIRN_DATA_DIR'] || './data')
  const data = openDataDirectory(dataDir)
  const started = await startEngines(dataDir)
  const apiKey = process.env['CAIRN_API_KEY'] ?? data.secretFile('api-key', () => generateApiKey().apiKey)
  const configured = settings()
  const generated = {
    ...started.env,
    CAIRN_SECRET: data.secretFile('secret', randomSecret),
    CAIRN_ADMIN_KEY: data.secretFile('admin-key', randomSecret),
    CAIRN_API_KEY: apiKey,
  }
  // Settings given as a file (`…_FILE`) are not generated: a setting in both forms is rejected.
  const ownFile = Object.entries(generated).filter(([name]) => configured[`${name}_FILE`] === undefined)
  const env: Record<string, string> = { ...Object.fromEntries(ownFile), ...configured }
  try {
    await setUpCluster(env, (text) => void process.stdout.write(text))
  } catch (error) {
    await started.stop()
    throw error
  }
  const pretty = process.stdout.isTTY === true
  const printLine = (name: string, line: string) => {
    if (!line.startsWith('{')) return print(`${name.padEnd(12)} ${line}`)
    const { name: _, ...entry } = JSON.parse(line) as object & { name?: string }
    process.stdout.write(
      pretty
        ? toReadable(JSON.stringify({ ...entry, name: name.padEnd(12) }))
        : toReadable(JSON.stringify({ ...entry, name })),
    )
  }
  const cluster = startCluster({ replicas, port: Number(process.env['PORT'] || 3_000), env, onLine: printLine })

  let ending: Promise<void> | undefined
  const end = (code: number) => {
    ending ??= (async () => {
      print('stopping')
      const failed = await cluster.stop()
      if (failed.length > 0) print(`did not end in order: ${failed.join(', ')}`)
      await started.stop()
      await data.close()
      process.exit(failed.length > 0 ? 1 : code)
    })()
    return ending
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0))
  try {
    await cluster.ready(readyWithinMs)
  } catch (error) {
    print(error instanceof Error ? error.message : String(error))
    // Continues while a model is still being downloaded: uploads wait for the model, and all other requests are served.
    if (!(await onlyTheModelIsMissing(cluster.url()))) return end(1)
  }
  const hasConsole = flag()
    .default(true)
    .parse(process.env['CAIRN_CONSOLE'] || undefined)
  if (hasConsole) buildConsole((detail) => print(`console not built: ${detail}`))
  const address = cluster.url().replace('127.0.0.1', 'localhost')
  data.publishAddress(address)
  print(
    [
      ...addressLines({
        address,
        host: env['CAIRN_HOST'] || 'localhost',
        port: Number(new URL(address).port),
        publicUrl: env['CAIRN_PUBLIC_URL'] || undefined,
        consoleCode: hasConsole ? '' : undefined,
        mcp: gatewayConfig.shape.mcp.parse(env['CAIRN_MCP'] || undefined),
        dataDir,
      }),
      ...cluster.processes.map(
        (one) => `  ${one.name.padEnd(12)} pid ${one.pid()}, http://localhost:${one.port()}/readyz`,
      ),
      '',
    ].join('\n'),
  )
}

if (values['help']) print(usage)
else
  await main().catch((error: unknown) => {
    process.stderr.write(`cairn: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })

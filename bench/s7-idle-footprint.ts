import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { processorSeconds } from './harness/processor-time.ts'
import { residentMb, treeOf } from './harness/resident-memory.ts'
import type { Measured, Row } from './harness/row.ts'

const root = join(import.meta.dirname, '..')
const readyWithinMs = 60_000
const endWithinMs = 15_000

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const untilReady = async (port: number, from: number): Promise<number> => {
  while (performance.now() - from < readyWithinMs) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return performance.now() - from
    await pause(5)
  }
  throw new Error('npm start has not become ready')
}

/** Measures `npm start` on an empty data directory while no requests arrive. */
const startOnce = async (
  directory: string,
  idleMs: number,
  more: Readonly<Record<string, string>>,
): Promise<Measured> => {
  const dataDir = mkdtempSync(join(directory, 'data-'))
  const port = await freePort()
  const settings = { ...more, PORT: String(port), CAIRN_DATA_DIR: dataDir, CAIRN_EMBEDDER: 'lexical' }
  const plain = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('CAIRN_') && !name.startsWith('npm_') && name !== 'NODE_ENV',
  )
  const from = performance.now()
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { ...Object.fromEntries(plain), ...settings },
    stdio: 'ignore',
  })
  const ended = once(npm, 'exit')
  try {
    const startMs = await untilReady(port, from)
    const service = Number(/process (\d+)/.exec(readFileSync(join(dataDir, 'holder'), 'utf8'))?.[1])
    await pause(1_000)
    const before = processorSeconds(service)
    await pause(idleMs)
    const cpu = ((processorSeconds(service) - before) / (idleMs / 1_000)) * 100
    const launchers = treeOf(npm.pid as number).filter((pid) => pid !== service)
    return {
      start: startMs / 1_000,
      memory: residentMb(service),
      cpu,
      launchers: launchers.reduce((sum, pid) => sum + residentMb(pid), 0),
    }
  } finally {
    npm.kill('SIGTERM')
    const late = setTimeout(() => npm.kill('SIGKILL'), endWithinMs)
    await ended
    clearTimeout(late)
  }
}

export const row: Row = {
  name: 'S7',
  what: 'idle footprint of `npm start` without a model',
  method:
    'Started with npm on an empty data directory, CAIRN_EMBEDDER=lexical, until /readyz answers 200 for the first time; then 20 s in which nobody asks anything of it. Memory is VmRSS of the service. Its first start on a machine also compiles the sources; that one is measured beside it, for 3 s. Launchers are npm and the bootstrap, which stay.',
  figures: [
    { name: 'memory', unit: 'MiB resident', digits: 1 },
    { name: 'cpu', unit: '% of a core', digits: 2 },
    { name: 'start', unit: 's to ready', digits: 2 },
    { name: 'launchers', unit: 'MiB resident', digits: 1 },
  ],
  marks: [
    { what: 'resident memory, MiB', figure: 'memory', sides: ['npm start'], atMost: 150 },
    { what: 'CPU, % of a core', figure: 'cpu', sides: ['npm start'], atMost: 1 },
    { what: 'start to ready, s', figure: 'start', sides: ['npm start'], atMost: 2 },
  ],
  missing: async () => (existsSync('/proc/self/status') ? undefined : 'it is read from /proc'),
  open: async ({ directory, quick }) => ({
    sides: [
      { name: 'npm start', round: () => startOnce(directory, quick ? 1_000 : 20_000, {}) },
      {
        name: 'first start',
        round: () =>
          startOnce(directory, quick ? 1_000 : 3_000, {
            NODE_COMPILE_CACHE: mkdtempSync(join(directory, 'compiled-')),
          }),
      },
    ],
  }),
}

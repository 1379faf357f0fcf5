// node bench/attack/hour.ts [--minutes N] [--mode one|cluster]
// The attacks of attacks.ts in turn, again and again, against one process or a cluster under ordinary load of another account: no process may
// end, no ordinary call may fail, and memory at rest may not grow. Bounded in time by --minutes, and by 9 s for each attack.
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { startClusterTarget } from '../../e2e/cluster-target.ts'
import { startServer } from '../../e2e/server-process.ts'
import { percentile } from '../harness/judge.ts'
import { residentMb } from '../harness/resident-memory.ts'
import { attacks, type Target } from './attacks.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, mode: { type: 'string', default: 'one' } },
})
const endsAt = performance.now() + Number(values.minutes) * 60_000
/** Between two attacks: what is given back by then is what rest means. */
const restMs = 5_000
const everyMs = 50
const callWithinMs = 30_000
const text = 'An ordinary document of another account, about larches and springs. '.repeat(8)

type System = {
  readonly url: string
  readonly adminKey: string
  /** Pids of the running processes, by name. */
  readonly pids: () => ReadonlyMap<string, number>
  readonly ends: readonly string[]
  readonly stop: () => Promise<unknown>
}

const oneProcess = async (): Promise<System> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-attack-'))
  const server = startServer({ dataDir })
  const ends: string[] = []
  let isStopping = false
  void server.ended.then((how) => void (isStopping || ends.push(`one process: ${how}`)))
  const url = await server.listening
  const adminKey = readFileSync(join(dataDir, 'admin-key'), 'utf8').trim()
  return {
    url,
    adminKey,
    pids: () => new Map([['one process', server.pid]]),
    ends,
    stop: async () => {
      isStopping = true
      await server.end('SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const cluster = async (): Promise<System> => {
  const ends: string[] = []
  const target = await startClusterTarget({ onEnd: (name, how) => void ends.push(`${name}: ${how}`) })
  return {
    url: target.url,
    adminKey: target.adminKey,
    pids: () => new Map(target.cluster.processes.map((one) => [one.name, one.pid()])),
    ends,
    stop: () => target.stop(),
  }
}

const client = (url: string, key: string) => async (method: string, path: string, body?: unknown) => {
  const response = await fetch(url + path, {
    method,
    headers: { 'x-api-key': key, 'x-admin-key': key, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(callWithinMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (response.status >= 400)
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer).slice(0, 200)}`)
  return answer
}

const account = async ({ url, adminKey }: System, name: string) => {
  const admin = client(url, adminKey)
  const { account_id } = await admin('POST', '/admin/v1/accounts', { name, tier: 'enterprise' })
  const { api_key } = await admin('POST', `/admin/v1/accounts/${account_id}/keys`, { name })
  const apiKey = String(api_key)
  const call = client(url, apiKey)
  await call('POST', '/v1/namespaces', { namespace_name: name, type: 'text' })
  return { apiKey, call }
}

/** What an account does whom nobody attacks: uploads, look-ups and searches, one after the other. */
const ordinaryLoad = (call: ReturnType<typeof client>, name: string) => {
  let times: number[] = []
  const failures: string[] = []
  let isOver = false
  let turn = 0
  const calls = [
    () =>
      call('POST', `/v1/namespaces/${name}/documents`, {
        documents: [{ id: `d${turn % 500}`, text: `${turn} ${text}` }],
      }),
    () => call('POST', `/v1/namespaces/${name}/documents/get`, { ids: ['d0'] }),
    () => call('POST', '/v1/search', { query: 'larches and springs', namespaces: [name] }),
  ]
  const running = (async () => {
    for (; !isOver; turn += 1) {
      const from = performance.now()
      await calls[turn % calls.length]?.().catch((error: unknown) => void failures.push(String(error)))
      times.push(performance.now() - from)
      await pause(everyMs)
    }
  })()
  return {
    failures,
    /** Since the last time. */
    take: () => {
      const taken = times
      times = []
      return taken
    },
    stop: async () => {
      isOver = true
      await running
    },
  }
}

const main = async (): Promise<boolean> => {
  const system = await (values.mode === 'cluster' ? cluster() : oneProcess())
  const failures: string[] = []
  const seen = new Map<string, number[]>()
  const restOf = new Map<string, number[]>()
  try {
    const attacker = await account(system, 'attacker')
    for (let from = 0; from < 100; from += 50) {
      const documents = Array.from({ length: 50 }, (_, index) => ({ id: `d${from + index}`, text: 'é'.repeat(50_000) }))
      await attacker.call('POST', '/v1/namespaces/attacker/documents', { documents })
    }
    const other = await account(system, 'other')
    const load = ordinaryLoad(other.call, 'other')
    const target: Target = { port: Number(new URL(system.url).port), apiKey: attacker.apiKey, namespace: 'attacker' }
    for (let round = 1; performance.now() < endsAt; round += 1) {
      for (const name of Object.keys(attacks)) {
        if (performance.now() >= endsAt) break
        load.take()
        const thread = new Worker(new URL('./attacker.ts', import.meta.url), { workerData: { name, target } })
        await once(thread, 'exit')
        const times = load.take()
        await pause(restMs)
        seen.set(name, [...(seen.get(name) ?? []), ...times])
      }
      for (const [name, pid] of system.pids()) restOf.set(name, [...(restOf.get(name) ?? []), residentMb(pid)])
      const rests = [...restOf].map(([name, mib]) => `${name} ${mib.at(-1)?.toFixed(0)} MiB`)
      console.log(
        `round ${round}: ${load.failures.length} ordinary calls failed, ${system.ends.length} processes ended; ${rests.join(', ')}`,
      )
    }
    await load.stop()
    failures.push(...load.failures)
  } finally {
    await system.stop()
  }
  console.log('attack: ordinary calls, p50, p99.9 and slowest in ms')
  for (const [name, times] of seen)
    console.log(
      `  ${name}: ${times.length}, ${[0.5, 0.999, 1].map((share) => percentile(times, share).toFixed(0)).join(', ')}`,
    )
  for (const failure of new Set(failures)) console.log(`  failed: ${failure}`)
  for (const end of system.ends) console.log(`  ended: ${end}`)
  let grew = false
  for (const [name, mib] of restOf) {
    const [first = 0, last = 0] = [mib[0], mib.at(-1)]
    console.log(`  ${name} at rest: ${first.toFixed(0)} MiB after the first round, ${last.toFixed(0)} after the last`)
    grew ||= last - first > 300
  }
  return failures.length === 0 && system.ends.length === 0 && !grew
}

const held = await main()
console.log(held ? 'held' : 'DID NOT HOLD')
process.exitCode = held ? 0 : 1

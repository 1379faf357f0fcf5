// node bench/attack/hour.ts [--minutes N] [--mode one|cluster]
// Repeats the attacks of attacks.ts against one process or a cluster under ordinary load of another account: no process
// may exit, no ordinary request may fail, and a process's memory at rest may not grow by more than 300 MiB after the
// first round. Runs for --minutes; each attack is limited to 9 s.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { Cairn } from '@cairn/client'
import { startClusterTarget } from '../../e2e/cluster-target.ts'
import { startStandalone } from '../../e2e/target.ts'
import { percentile } from '../harness/judge.ts'
import { residentMb } from '../harness/resident-memory.ts'
import { attacks, type Target } from './attacks.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, mode: { type: 'string', default: 'one' } },
})
const endsAt = performance.now() + Number(values.minutes) * 60_000
/** Pause after each attack in milliseconds; memory at rest is measured after the last pause of a round. */
const restMs = 5_000
const everyMs = 50
const callWithinMs = 30_000
const text = 'An ordinary document of another account, about larches and springs. '.repeat(8)

type System = {
  readonly url: string
  readonly adminKey: string
  /** Pids of the running processes, by name. */
  readonly pids: () => ReadonlyMap<string, number>
  /** Exits of processes that nobody stopped. */
  readonly ends: readonly string[]
  readonly stop: () => Promise<void>
}

const oneProcess = async (): Promise<System> => {
  const { url, adminKey, pid = 0, stop } = await startStandalone()
  const ends: string[] = []
  return {
    url,
    adminKey,
    pids: () => new Map([['one process', pid]]),
    ends,
    // Rejects if the process has already exited.
    stop: () => stop().catch((error: Error) => void ends.push(error.message)),
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
    stop: target.stop,
  }
}

const openAccount = async ({ url, adminKey }: System, name: string) => {
  const { keys, accounts } = new Cairn({ url, adminKey }).admin
  const { account_id: accountId } = await accounts.create(name, 'enterprise')
  const { api_key: apiKey } = await keys.create(accountId, { name })
  const cairn = new Cairn({ url, apiKey, retries: 0, timeoutMs: callWithinMs })
  await cairn.namespaces.create(name)
  return { apiKey, cairn }
}

/** Uploads, reads and searches, one request after the other, with an account that takes no part in the attack. */
const ordinaryLoad = (cairn: Cairn, name: string) => {
  let times: number[] = []
  const failures: string[] = []
  let isOver = false
  let turn = 0
  const calls = [
    () => cairn.documents.upload(name, [{ id: `d${turn % 500}`, text: `${turn} ${text}` }]),
    () => cairn.documents.get(name, ['d0']),
    () => cairn.search({ query: 'larches and springs', namespaces: [name] }),
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
    /** Returns the response times since the last call, in milliseconds. */
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
  const timesOf = new Map<string, number[]>()
  const restOf = new Map<string, number[]>()
  try {
    const attacker = await openAccount(system, 'attacker')
    for (let from = 0; from < 100; from += 50) {
      const documents = Array.from({ length: 50 }, (_, index) => ({ id: `d${from + index}`, text: 'é'.repeat(50_000) }))
      await attacker.cairn.documents.upload('attacker', documents)
    }
    const other = await openAccount(system, 'other')
    const load = ordinaryLoad(other.cairn, 'other')
    const target: Target = { port: Number(new URL(system.url).port), apiKey: attacker.apiKey, namespace: 'attacker' }
    for (let round = 1; performance.now() < endsAt; round += 1) {
      for (const name of Object.keys(attacks)) {
        if (performance.now() >= endsAt) break
        load.take()
        const thread = new Worker(new URL('./attacker.ts', import.meta.url), { workerData: { name, target } })
        await once(thread, 'exit')
        const times = load.take()
        await pause(restMs)
        timesOf.set(name, [...(timesOf.get(name) ?? []), ...times])
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
  for (const [name, times] of timesOf)
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

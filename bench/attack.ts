import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { attacks, type Target } from './attack/attacks.ts'
import { fillForFilters, filterAttacks, searchAttacks, namespaces as searched } from './attack/filter-attacks.ts'
import { startClusterProduct } from './harness/cluster.ts'
import { missingEngines } from './harness/engines.ts'
import { connectTo, sendOnce } from './harness/http-load.ts'
import { percentile } from './harness/judge.ts'
import { createNamespace } from './harness/namespaces.ts'
import { startProduct } from './harness/product.ts'
import { residentMb, watchResident } from './harness/resident-memory.ts'
import type { Context, Mark, Measured, Row, Side } from './harness/row.ts'
import { jsonRequest, requestBytes } from './harness/upload-request.ts'

const probeEveryMs = 10
/** Time recorded for a probe without a response, in milliseconds. */
const maxProbeMs = 30_000
const documents = 100

/** Sends a small request of another account repeatedly; `stop` resolves to the response times in milliseconds. */
const startProbe = (port: number, request: Buffer) => {
  const times: number[] = []
  let isOver = false
  const sendOverNewConnection = async () => {
    const connection = await connectTo(port)
    try {
      await connection.send(request)
    } finally {
      connection.close()
    }
  }
  const running = (async () => {
    while (!isOver) {
      const from = performance.now()
      await Promise.race([sendOverNewConnection().catch(() => pause(maxProbeMs)), pause(maxProbeMs)])
      times.push(performance.now() - from)
      await pause(probeEveryMs)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await running
      return times
    },
  }
}

const other = 'other'

/** The attacked side: one process, or the gateway of a cluster. */
type Attacked = Target & {
  readonly pid: number
  /** Number of documents for the filter attacks. */
  readonly filtered: number
  /** Adds an account without limits; resolves to the API key. */
  addAccount(name: string): Promise<string>
  /** Longest delay of the event loop since the last call, in milliseconds; NaN if the process has exited. */
  loopDelay?(): Promise<number>
}

/**
 * Creates a second account with a namespace and a document; returns a request of that account: it reads the document,
 * or, depending on the attack, searches, lists namespaces or asks for an answer.
 */
const probeRequest = async ({ port, addAccount }: Attacked, name: string): Promise<Buffer> => {
  const apiKey = await addAccount(other)
  const call = (path: string, body: object) => sendOnce(port, jsonRequest('POST', path, apiKey, body))
  await call('/v1/namespaces', { namespace_name: other, type: 'text' })
  await call(`/v1/namespaces/${other}/documents`, { documents: [{ id: 'a', text: 'a text of the other account' }] })
  if (name in searchAttacks) return jsonRequest('POST', '/v1/search', apiKey, { query: 'a text', namespaces: [other] })
  if (name in filterAttacks) return requestBytes('GET', '/v1/namespaces', { 'x-api-key': apiKey })
  if (name !== 'schemas left')
    return jsonRequest('POST', `/v1/namespaces/${other}/documents/get`, apiKey, { ids: ['a'] })
  const structured_response = { enabled: true, schema: { type: 'object' } }
  return jsonRequest('POST', '/v1/answer', apiKey, { namespace: '', query: 'what?', structured_response })
}

/** Fills the namespace so that a page of it has 10 MB. */
const fill = async ({ port, apiKey, namespace }: Target): Promise<void> => {
  for (let from = 0; from < documents; from += 50) {
    const some = Array.from({ length: 50 }, (_, index) => ({ id: `d${from + index}`, text: 'é'.repeat(50_000) }))
    const { status, body } = await sendOnce(
      port,
      jsonRequest('POST', `/v1/namespaces/${namespace}/documents`, apiKey, { documents: some }),
    )
    if (status !== 202) throw new Error(`the documents were not accepted: ${status} ${body}`)
  }
}

/** Waits until everything is indexed; indexing would otherwise be counted as load of the attack. */
const untilIndexed = async ({ port, apiKey }: Target): Promise<void> => {
  for (const name of searched)
    for (const state of ['queued', 'running'])
      for (let tries = 0; ; tries += 1) {
        const path = `/v1/namespaces/${name}/uploads?state=${state}&limit=1`
        const { body } = await sendOnce(port, requestBytes('GET', path, { 'x-api-key': apiKey }))
        if ((JSON.parse(body.toString()) as { readonly uploads: readonly unknown[] }).uploads.length === 0) break
        if (tries === 600) throw new Error('the uploads were not indexed in two minutes')
        await pause(200)
      }
}

const attack = async (attacked: Attacked, name: string): Promise<Measured> => {
  const { port, apiKey, namespace, pid, filtered, loopDelay } = attacked
  const request = await probeRequest(attacked, name)
  const target: Target = { port, apiKey, namespace }
  if (name in filterAttacks || name in searchAttacks) await fillForFilters(target, name in searchAttacks, filtered)
  else await fill(target)
  if (name in searchAttacks) await untilIndexed(target)
  await sendOnce(port, requestBytes('GET', '/metrics', {}))
  await pause(1_000)
  await loopDelay?.()
  const before = residentMb(pid)
  const memory = watchResident(pid)
  const probe = startProbe(port, request)
  const thread = new Worker(new URL('./attack/attacker.ts', import.meta.url), { workerData: { name, target } })
  await once(thread, 'exit')
  const times = await probe.stop()
  const { own } = memory.stop()
  const figures = { probe: percentile(times, 0.999), slowest: Math.max(...times), growth: own - before }
  if (loopDelay === undefined) return figures
  const delay = await loopDelay()
  return { ...figures, loop: Number.isNaN(delay) ? maxProbeMs : delay, ended: Number.isNaN(delay) ? 1 : 0 }
}

const attackProcess = async (context: Context, name: string): Promise<Measured> => {
  const directory = mkdtempSync(join(context.directory, 'attack-'))
  const { port, apiKey, namespace, subject } = await startProduct(
    { ...context, directory },
    { embedder: 'stub', ingestionPaused: !(name in searchAttacks), answersWritten: true },
  )
  const addAccount = (account: string) => subject.ask<string>('addAccount', account)
  const loopDelay = () => subject.ask<number>('loopDelay').catch(() => Number.NaN)
  try {
    const attacked = { port, apiKey, namespace, pid: subject.pid, filtered: 50_000, addAccount, loopDelay }
    return await attack(attacked, name)
  } finally {
    await subject.close()
  }
}

const attackCluster = async (context: Context, name: string): Promise<Measured> => {
  const replicas = { ingestion: name in searchAttacks ? 1 : 0 }
  const product = await startClusterProduct(context, { replicas })
  const { port, apiKey, gatewayPid: pid, addAccount } = product
  try {
    await createNamespace(product, other)
    // Few documents, because the stand-in for MongoDB scans the collection for each page, where MongoDB reads an index.
    return await attack({ port, apiKey, namespace: other, pid, filtered: 5_000, addAccount }, name)
  } finally {
    await product.close()
  }
}

const names = Object.keys({ ...attacks, ...filterAttacks, ...searchAttacks })
const readAttacks = ['pipelined pages', 'slow readers']
const clusterNames = ['nothing', ...readAttacks, ...Object.keys({ ...filterAttacks, ...searchAttacks })]

const sharedFigures = [
  { name: 'probe', unit: 'ms, p99.9 of the probe', digits: 0 },
  { name: 'slowest', unit: 'ms, its slowest', digits: 0 },
  { name: 'growth', unit: 'MiB', digits: 0 },
]

const marksOf = (side: string): Mark[] => [
  {
    what: `${side}: slowest answer of another account, ms`,
    figure: 'slowest',
    sides: [side],
    atMost: side in searchAttacks ? 1_000 : 500,
  },
  { what: `${side}: growth of memory, MiB`, figure: 'growth', sides: [side], atMost: 300 },
]

export const row: Row = {
  name: 'attack',
  what: 'one client attacks one process: response times of another account',
  method:
    'Each attack of bench/attack/attacks.ts for at most 9 s against a new process that has 100 documents of 100 kB; meanwhile another account reads one document by its id every 10 ms (under `schemas left`: has a structured answer, which takes two checks), over a new connection each time. `loop` is the longest delay of the event loop, `growth` the most resident memory less that before. `nothing` is the probe alone.',
  warmUps: 0,
  figures: [
    ...sharedFigures,
    { name: 'loop', unit: 'ms, event loop', digits: 0 },
    { name: 'ended', unit: 'processes ended', digits: 0 },
  ],
  marks: names.flatMap((side) => [
    ...marksOf(side),
    { what: `${side}: processes ended`, figure: 'ended', sides: [side], atMost: 0 },
  ]),
  open: async (context) => ({
    sides: names.map((name): Side => ({ name, round: () => attackProcess(context, name) })),
  }),
}

export const clusterRow: Row = {
  name: 'cluster-attack',
  what: 'expensive filters and searches of one client in a cluster: response times of another account',
  method:
    'The attacks of bench/attack/filter-attacks.ts, each against a new cluster of one process a service; meanwhile another account lists its namespaces or searches every 10 ms, over a new connection each time. `growth` is of the gateway. `nothing` is the probe alone.',
  warmUps: 0,
  figures: sharedFigures,
  marks: clusterNames.flatMap(marksOf),
  missing: missingEngines,
  open: async (context) => ({
    sides: clusterNames.map((name): Side => ({ name, round: () => attackCluster(context, name) })),
  }),
}

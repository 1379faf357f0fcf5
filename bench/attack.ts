import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { attacks, type Target } from './attack/attacks.ts'
import { fillForFilters, filterAttacks, searchAttacks, namespaces as searched } from './attack/filter-attacks.ts'
import { connectTo, sendOnce } from './harness/http-load.ts'
import { percentile } from './harness/judge.ts'
import { type Product, startProduct } from './harness/product.ts'
import { residentMb, watchResident } from './harness/resident-memory.ts'
import type { Context, Measured, Row, Side } from './harness/row.ts'
import { jsonRequest, requestBytes } from './harness/upload-request.ts'

const probeEveryMs = 10
/** A probe that has no answer for so long has this one. */
const longestProbeMs = 30_000
const documents = 100

/** A small request of another account, again and again; its times in milliseconds. */
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
      await Promise.race([sendOverNewConnection().catch(() => pause(longestProbeMs)), pause(longestProbeMs)])
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

/** A second account with a namespace and a document; the request that reads it, or one that needs what the attack is on. */
const probeRequest = async ({ port, subject }: Product, name: string): Promise<Buffer> => {
  const apiKey = await subject.ask<string>('addAccount', other)
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

/** Pages of this namespace have 10 MB. */
const fill = async ({ port, apiKey, namespace }: Product): Promise<void> => {
  for (let from = 0; from < documents; from += 50) {
    const some = Array.from({ length: 50 }, (_, index) => ({ id: `d${from + index}`, text: 'é'.repeat(50_000) }))
    const { status, body } = await sendOnce(
      port,
      jsonRequest('POST', `/v1/namespaces/${namespace}/documents`, apiKey, { documents: some }),
    )
    if (status !== 202) throw new Error(`the documents were not taken: ${status} ${body}`)
  }
}

/** Waits until all is indexed: that load of the process would be taken for the attack's. */
const untilIndexed = async ({ port, apiKey }: Product): Promise<void> => {
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

const attack = async (context: Context, name: string): Promise<Measured> => {
  const directory = mkdtempSync(join(context.directory, 'attack-'))
  const product = await startProduct(
    { ...context, directory },
    { embedder: 'stub', ingestionPaused: !(name in searchAttacks), answersWritten: true },
  )
  const { port, apiKey, namespace, subject } = product
  try {
    const request = await probeRequest(product, name)
    const target: Target = { port, apiKey, namespace }
    if (name in filterAttacks || name in searchAttacks) await fillForFilters(target, name in searchAttacks)
    else await fill(product)
    if (name in searchAttacks) await untilIndexed(product)
    await sendOnce(port, requestBytes('GET', '/metrics', {}))
    await pause(1_000)
    await subject.ask('loopDelay')
    const before = residentMb(subject.pid)
    const memory = watchResident(subject.pid)
    const probe = startProbe(port, request)
    const thread = new Worker(new URL('./attack/attacker.ts', import.meta.url), { workerData: { name, target } })
    await once(thread, 'exit')
    const times = await probe.stop()
    const { own } = memory.stop()
    const delay = await subject.ask<number>('loopDelay').catch(() => Number.NaN)
    return {
      probe: percentile(times, 0.999),
      slowest: Math.max(...times),
      loop: Number.isNaN(delay) ? longestProbeMs : delay,
      growth: own - before,
      ended: Number.isNaN(delay) ? 1 : 0,
    }
  } finally {
    await subject.close()
  }
}

const names = Object.keys({ ...attacks, ...filterAttacks, ...searchAttacks })

export const row: Row = {
  name: 'attack',
  what: 'one client against one process, and what another account sees of it',
  method:
    'Each attack of bench/attack/attacks.ts for at most 9 s against a new process that has 100 documents of 100 kB; meanwhile another account reads one document by its id every 10 ms (under `schemas left`: has a structured answer, which takes two checks), over a new connection each time. `loop` is the longest delay of the event loop, `growth` the most resident memory less that before. `nothing` is the probe alone.',
  pinned: false,
  warmUps: 0,
  figures: [
    { name: 'probe', unit: 'ms, p99.9 of the probe', digits: 0 },
    { name: 'slowest', unit: 'ms, its slowest', digits: 0 },
    { name: 'loop', unit: 'ms, event loop', digits: 0 },
    { name: 'growth', unit: 'MiB', digits: 0 },
    { name: 'ended', unit: 'processes ended', digits: 0 },
  ],
  marks: names.flatMap((side) => [
    {
      what: `${side}: slowest answer of another account, ms`,
      figure: 'slowest',
      sides: [side],
      atMost: side in searchAttacks ? 1_000 : 500,
    },
    { what: `${side}: growth of memory, MiB`, figure: 'growth', sides: [side], atMost: 300 },
    { what: `${side}: processes ended`, figure: 'ended', sides: [side], atMost: 0 },
  ]),
  open: async (context) => ({
    sides: names.map((name): Side => ({ name, round: () => attack(context, name) })),
    close: async () => {},
  }),
}

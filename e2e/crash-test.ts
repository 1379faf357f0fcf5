import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '@cairn/adapters/clock/system'
import { inMemoryMessageBus } from '@cairn/adapters/message-bus/in-memory'
import { randomIds } from '@cairn/domain/ids'
import { createNamespaceTasks } from '@cairn/namespace/service'
import { createLogger } from '@cairn/runtime/process/logger'
import type { LedgerEntry } from '@cairn/testing/ledger'
import { createLoad } from './crash-test/load.ts'
import { countWrites, isSearched, mustSucceed } from './crash-test/outcomes.ts'
import { openSystem, type System } from './crash-test/system.ts'
import { cutTail, tearNextFrame } from './crash-test/write-ahead-log.ts'
import { brokenInvariants, type CheckOptions, untilQuiet } from './stores.ts'

const quietWithinMs = 180_000
const format = (value: number): string => value.toLocaleString('en-US')
const say = (line: string): void => console.log(line)
const seconds = (from: number): string => ((performance.now() - from) / 1_000).toFixed(1)

/**
 * Reads what clients see once the system is idle: every page of every namespace, and a sample of documents by their own
 * text. Resolves to the faults.
 */
const lookAround = async (system: System, namespaces: readonly string[]): Promise<string[]> => {
  const found: string[] = []
  for (const account of system.accounts) {
    const api = system.client(account, await system.url())
    for (const namespace of namespaces) {
      const { returned = [] } = mustSucceed(await api.walk(namespace, 100)).entry.answered
      for (const { id, text } of returned.filter((document) => isSearched(document.id))) {
        const results = mustSucceed(await api.search([namespace], text, 3)).entry.answered.returned ?? []
        if (results[0]?.id !== id)
          found.push(
            `I2: ${namespace}/${id} is not the best hit for its own text, but ${results[0]?.id ?? 'nothing'} is`,
          )
      }
    }
    api.close()
  }
  return found
}

type Options = { readonly seed: number; readonly documents: number; readonly clients: number; readonly again: number }
/**
 * Injects faults into the server while the load runs. `reach` waits for a share of the load and for requests in flight,
 * and resolves to the number of these requests.
 */
type Faults = (context: {
  readonly system: System
  readonly dataDir: string
  readonly reach: (share: number) => Promise<number>
}) => Promise<void>

/** Runs the load and the faults, waits until the system is idle, and returns every broken promise. */
const run = async (options: Options, faults: Faults, before?: CheckOptions['before']): Promise<string[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-crash-test-'))
  const from = performance.now()
  const system = await openSystem(dataDir)
  try {
    const load = createLoad({ ...options, accounts: system.accounts, ledger: system.ledger, url: system.url })
    for (const account of system.accounts) {
      const api = system.client(account, await system.url())
      for (const namespace of load.namespaces) mustSucceed(await api.createNamespace(namespace))
      api.close()
    }
    let over = false
    /** Waits until a share of the load is acknowledged, then until the server is up and has requests in flight. */
    const reach = async (share: number): Promise<number> => {
      while (!over && load.acknowledged() < share * options.documents) await pause(2)
      await system.url()
      while (!over && load.inFlight() < options.clients / 2) await pause(1)
      return load.inFlight()
    }
    const running = load.run().finally(() => {
      over = true
    })
    await Promise.all([running, faults({ system, dataDir, reach })])
    const loaded = seconds(from)
    await untilQuiet(dataDir, quietWithinMs)
    const quiet = seconds(from)
    const seen = await lookAround(system, load.namespaces)
    const code = await system.end('SIGTERM')
    const ended = code === 0 ? [] : [`I11: the server ended with ${code} after SIGTERM`]
    const broken = await brokenInvariants(dataDir, {
      entries: system.ledger.entries,
      searched: isSearched,
      ...(before ? { before } : {}),
    })
    const errors = system.output().match(/"level":"error"[^\n]*/g) ?? []
    const writes = (outcome: LedgerEntry['outcome']) => {
      const { documents, requests } = countWrites(system.ledger.entries, outcome)
      return `${format(documents)} documents in ${format(requests)} requests`
    }
    const repeated = Math.round(load.share() * 100)
    say(`acknowledged  ${writes('acknowledged')} (${repeated} % overwrites, deletes and re-uploads)`)
    say(`refused       ${writes('refused')}`)
    say(`unknown       ${writes('unknown')}`)
    say(`seconds       ${seconds(from)} (load ${loaded}, quiet after ${quiet})`)
    return [...seen, ...ended, ...broken, ...errors.map((line) => `I11: the server logged ${line.slice(0, 300)}`)]
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${system.output().slice(-3_000)}`, {
      cause: error,
    })
  } finally {
    await system.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const killing =
  (kills: number): Faults =>
  async ({ system, reach }) => {
    const inFlight: number[] = []
    for (let kill = 1; kill <= kills; kill += 1) {
      inFlight.push(await reach(kill / (kills + 1)))
      await system.end('SIGKILL')
      await system.start()
    }
    say(`kills         ${inFlight.length}, with ${inFlight.join(', ')} requests in flight`)
  }

/** Writes a torn page of an unacknowledged commit; everything acknowledged must survive. */
const tearing: Faults = async ({ system, dataDir, reach }) => {
  await reach(0.5)
  await system.end('SIGKILL')
  for (const name of ['metadata.db-wal', 'vectors.db-wal']) tearNextFrame(join(dataDir, name))
  await system.start()
  say('torn          half a page behind the last commit of each store')
}

/**
 * Uploads acknowledged less than this before the cut may be lost, completely or not at all, so their outcome counts as
 * unknown.
 */
const momentMs = 1_500
const framesCut = 200

/**
 * Returns a fault that cuts committed bytes off, as if a disk had acknowledged a write that it did not perform, and the
 * preparation of its checks.
 */
const cutRound = () => {
  const suspects: LedgerEntry[] = []
  const cutting: Faults = async ({ system, dataDir, reach }) => {
    const acknowledgedAt = new Map<LedgerEntry, number>()
    const note = () => {
      for (const entry of system.ledger.entries)
        if (entry.outcome === 'acknowledged' && !acknowledgedAt.has(entry)) acknowledgedAt.set(entry, performance.now())
    }
    const watch = setInterval(note, 50)
    await reach(0.5)
    await system.end('SIGKILL')
    clearInterval(watch)
    note()
    const cut = format(cutTail(join(dataDir, 'metadata.db-wal'), framesCut))
    for (const [entry, at] of acknowledgedAt) {
      if (entry.request.kind !== 'upload' || performance.now() - at > momentMs) continue
      suspects.push(entry)
      entry.outcome = 'unknown'
      entry.endedAt = Number.POSITIVE_INFINITY
    }
    await system.start()
    say(`cut           metadata.db-wal ${cut} bytes, all of it committed`)
  }
  /** Runs the hourly audit, which removes the points of lost documents. */
  const before: NonNullable<CheckOptions['before']> = async ({ store, vectors }) => {
    const clock = systemClock()
    // Keeps this process running during the audit's pauses, because the clock's timers do not.
    const alive = setInterval(() => undefined, 1_000)
    const bus = inMemoryMessageBus()
    const log = createLogger({ level: 'silent', name: 'audit' })
    const deps = { bus, store, vectors, clock, ids: randomIds(clock.now), log, jobRetentionMs: 30 * 86_400_000 }
    const { removed } = await createNamespaceTasks(deps).audit(new AbortController().signal)
    clearInterval(alive)
    await bus.close()
    const records = await Promise.all(suspects.map(({ answered }) => store.uploads.get(answered.uploadId ?? '')))
    say(
      `lost          ${records.filter((record) => !record).length} of the ${suspects.length} uploads acknowledged in the last ${momentMs} ms; ${removed} points of theirs audited away`,
    )
    say(
      'guarantee     every store opens at an earlier commit of its own; requests of the last moment are lost whole, never in part',
    )
  }
  return { cutting, before }
}

const {
  values: { seed, documents, kills, clients, torn },
} = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    documents: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '10' },
    clients: { type: 'string', default: '8' },
    torn: { type: 'boolean', default: false },
  },
})
const base = { seed: Number(seed), clients: Number(clients), documents: Number(documents), again: 1 / 3 }
const small = { ...base, documents: Math.min(base.documents, 1_000) }

const runCut = (): Promise<string[]> => {
  const { cutting, before } = cutRound()
  return run({ ...small, again: 0 }, cutting, before)
}

const rounds: readonly (readonly [string, () => Promise<string[]>])[] = torn
  ? [
      [`${format(small.documents)} documents of 1 KB, a page torn in mid-commit`, () => run(small, tearing)],
      [`${format(small.documents)} documents of 1 KB, the tail of the log cut off`, runCut],
    ]
  : [
      [
        `${format(base.documents)} documents of 1 KB from ${base.clients} clients, ${kills} kills`,
        () => run(base, killing(Number(kills))),
      ],
    ]

for (const [title, round] of rounds) {
  say(`${title}, seed ${seed}`)
  const broken = await round()
  if (broken.length === 0) {
    say('I1 to I4      hold')
    continue
  }
  process.exitCode = 1
  say(`BROKEN        ${broken.length}; replay with --seed ${seed}`)
  for (const violation of broken.slice(0, 50)) say(`  ${violation}`)
}

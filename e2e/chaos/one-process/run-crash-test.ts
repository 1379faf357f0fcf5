import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { LedgerEntry } from '@cairn/testing/ledger'
import { brokenInvariants, untilQuiet } from '../../stores.ts'
import { lookAround } from '../judge.ts'
import { createLoad } from '../load.ts'
import type { CrashTestOptions } from '../options.ts'
import { countWrites, isSearched } from '../outcomes.ts'
import { makePlaces } from '../places.ts'
import type { Outcome } from '../report.ts'
import { type Crashes, cutting, killing, tearing } from './crashes.ts'
import { type OneProcess, openOneProcess } from './one-process.ts'

const clients = 8
const quietWithinMs = 180_000
/** Documents of a run that damages the log, which is only as long as the last checkpoint lets it be. */
const mostDamaged = 1_000

const secondsSince = (from: number): number => Math.round((performance.now() - from) / 100) / 10

const writesOf = ({ ledger }: OneProcess, outcome: LedgerEntry['outcome']): string => {
  const { documents, requests } = countWrites(ledger.entries, outcome)
  return `${documents} documents in ${requests} requests`
}

/** Runs the load and the crashes, waits until the server is idle, and checks its stores. */
const crash = async (
  system: OneProcess,
  dataDir: string,
  { seed, documents, damage }: CrashTestOptions,
  crashes: Crashes,
): Promise<Pick<Outcome, 'figures' | 'broken'>> => {
  const from = performance.now()
  const again = damage === 'cut' ? 0 : 1 / 3
  const { accounts, ledger, url } = system
  const load = createLoad({ seed, clients, documents, again, accounts, ledger, url })
  await makePlaces(system, load.places)
  let isOver = false
  const reach = async (share: number): Promise<number> => {
    while (!isOver && load.acknowledged() < share * documents) await pause(2)
    await url()
    while (!isOver && load.inFlight() < clients / 2) await pause(1)
    return load.inFlight()
  }
  const running = load.run().finally(() => {
    isOver = true
  })
  const [applied] = await Promise.all([crashes.apply({ system, dataDir, reach }), running])
  const secondsOfLoad = secondsSince(from)
  await untilQuiet(dataDir, quietWithinMs)
  const secondsToQuiet = secondsSince(from)
  const seen = await lookAround(system, load.places)
  const code = await system.end('SIGTERM')
  const { entries } = ledger
  const { before } = crashes
  const invariants = await brokenInvariants(dataDir, { entries, searched: isSearched, ...(before ? { before } : {}) })
  const errors = system.output().match(/"level":"error"[^\n]*/g) ?? []
  return {
    figures: {
      acknowledged: writesOf(system, 'acknowledged'),
      refused: writesOf(system, 'refused'),
      unknown: writesOf(system, 'unknown'),
      onOldIds: `${Math.round(load.share() * 100)} %`,
      ...applied,
      secondsOfLoad,
      secondsToQuiet,
    },
    broken: [
      ...seen,
      ...(code === 0 ? [] : [`I11: the server ended with ${code} after SIGTERM`]),
      ...invariants,
      ...errors.map((line) => `I11: the server logged ${line.slice(0, 300)}`),
    ],
  }
}

/** Kills one process with everything in it under load, or damages its log, and checks what it stored. */
export const runCrashTest = async (given: CrashTestOptions, say: (line: string) => void): Promise<Outcome> => {
  const { seed, kills, damage } = given
  const documents = damage ? Math.min(given.documents, mostDamaged) : given.documents
  const what =
    damage === undefined ? `${kills} kills` : `the log ${damage === 'torn' ? 'torn in mid-commit' : 'cut off'}`
  const crashes = damage === undefined ? killing(kills) : damage === 'torn' ? tearing : cutting(say)
  const from = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'cairn-chaos-'))
  const [logs, dataDir] = [join(folder, 'logs'), join(folder, 'data')]
  for (const each of [logs, dataDir]) mkdirSync(each)
  const removeAll = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', removeAll)
  const system = await openOneProcess(dataDir)
  const keepLog = () => {
    process.off('exit', removeAll)
    rmSync(dataDir, { recursive: true, force: true })
    writeFileSync(join(logs, 'standalone.log'), system.output())
  }
  try {
    const { figures, broken } = await crash(system, dataDir, { ...given, documents }, crashes)
    if (broken.length > 0) keepLog()
    const title = `crash test, seed ${seed}: ${documents} documents of 1 KB from ${clients} clients, ${what}`
    return { title, figures, broken, schedule: [what], logs, seconds: secondsSince(from) }
  } catch (error) {
    keepLog()
    throw new Error(`${error instanceof Error ? error.stack : String(error)}\nlogs: ${logs}`, { cause: error })
  } finally {
    await system.close()
  }
}

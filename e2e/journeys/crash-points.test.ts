import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateApiKey } from '@cairn/runtime/http/api-key'
import { createLedger } from '@cairn/testing/ledger'
import { recordedClient } from '@cairn/testing/recorded-client'
import { expect, it, onTestFinished } from 'vitest'
import { type Insist, lookAround, workload } from '../crash-points/workload.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { brokenInvariants, untilQuiet } from '../stores.ts'

const dyingMain = join(import.meta.dirname, '../crash-points/main.ts')
const withinMs = 30_000
/** Number of points tried unless CRASH_POINTS is `all`; each takes two server starts and a few seconds. */
const fewPoints = 14
const sideBySide = 3

type Point = { readonly k: number; readonly when: 'before' | 'after' }
type Outcome = { readonly writes: readonly string[]; readonly died: boolean; readonly faults: readonly string[] }

/**
 * Runs the workload on a server that dies at this point, continues it on a server that does not, and checks the result.
 * Without a point, the first server does not die.
 */
const live = async (point?: Point): Promise<Outcome> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-crash-'))
  const { apiKey } = generateApiKey()
  const ledger = createLedger()
  const env = point ? { CRASH_AT: String(point.k), CRASH_WHEN: point.when } : {}
  const first = startServer({ main: dyingMain, dataDir, env: { ...env, CRASH_API_KEY: apiKey } })
  const lives: ServerProcess[] = [first]
  const current = () => lives.at(-1) as ServerProcess
  const raised = first.ended.then((how) => {
    if (how === 'SIGKILL') lives.push(startServer({ dataDir }))
  })
  let url = ''
  const client = recordedClient({ url: () => url, apiKey, accountId: 'acc_first', ledger, withinMs })
  const insist: Insist = async (request, done = []) => {
    for (let attempt = 1; ; attempt += 1) {
      // Retries as soon as the next server process was started, or after 100 ms.
      if (attempt > 1) await Promise.race([raised, pause(100)])
      url = await current().listening.catch(() => url)
      const recorded = await request()
      const { status = 0 } = recorded
      if ((status >= 200 && status < 300) || (attempt > 1 && done.includes(status))) return recorded
      if (attempt === 20 || (status > 0 && status < 500))
        throw new Error(`${recorded.entry.name}: ${status} ${JSON.stringify(recorded.body)}`)
    }
  }
  try {
    await first.listening.catch(() => raised)
    await workload(client, insist)
    await untilQuiet(dataDir, withinMs)
    await lookAround(client, insist)
    const writes = [...first.output().matchAll(/^write \d+ (\S+)$/gm)].map(([, name = '']) => name)
    client.close()
    expect(await current().end('SIGTERM'), current().output()).toBe(0)
    return { writes, died: lives.length > 1, faults: await brokenInvariants(dataDir, { entries: ledger.entries }) }
  } catch (error) {
    const output = lives.map((life) => life.output()).join('\n---\n')
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${output.slice(-4_000)}`, {
      cause: error,
    })
  } finally {
    for (const life of lives) await life.end('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Returns the points before and after each write: all of them, or an evenly spread selection. */
const pointsOf = (writes: number): Point[] => {
  const all = Array.from({ length: writes }, (_, index) => index + 1).flatMap((k): Point[] => [
    { k, when: 'before' },
    { k, when: 'after' },
  ])
  if (process.env['CRASH_POINTS'] === 'all') return all
  const few = Array.from({ length: fewPoints }, (_, index) => Math.floor((index * (all.length - 1)) / (fewPoints - 1)))
  return all.filter((_, index) => few.includes(index))
}

it('loses and doubles nothing, whatever write the process is killed at', { timeout: 1_800_000 }, async () => {
  const dry = await live()
  expect(dry).toMatchObject({ died: false, faults: [] })
  expect(dry.writes.length).toBeGreaterThan(40)
  const points = pointsOf(dry.writes.length)
  const found: string[] = []
  let deaths = 0
  const worker = async () => {
    for (let point = points.shift(); point; point = points.shift()) {
      const { writes, died, faults } = await live(point)
      if (died) deaths += 1
      found.push(...faults.map((fault) => `killed ${point?.when} write ${point?.k} (${writes.at(-1)}): ${fault}`))
    }
  }
  onTestFinished(() => void points.splice(0))
  const tried = points.length
  await Promise.all(Array.from({ length: sideBySide }, worker))
  expect(found).toEqual([])
  // The last writes are background work, which not every run reaches.
  expect(deaths).toBeGreaterThanOrEqual(Math.floor(tried * 0.8))
})

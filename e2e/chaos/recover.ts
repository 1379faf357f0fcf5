import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openStores, type Stores } from './open-stores.ts'
import type { DiskName } from './options.ts'
import type { System } from './system.ts'

const run = promisify(execFile)
const ingestion = join(import.meta.dirname, '../../services/ingestion/src/main.ts')
const rebuildWithinMs = 120_000
const everyMs = 2_000
/** Number of checks an engine has to recover by itself. */
const patience = 3
const maxRestarts = 5

/**
 * Whether the engine answers and, if it is MongoDB or Qdrant, also serves a request as the services send it; a process
 * may listen without serving.
 */
const works = async (system: System, { store, vectors }: Stores, engine: DiskName): Promise<boolean> => {
  if (!(await system.engines.answers(engine))) return false
  try {
    if (engine === 'mongodb') await store.namespaces.page({ limit: 1 })
    if (engine === 'qdrant') await vectors.ensure({ key: 'after-a-full-disk', dimension: 4 })
    return true
  } catch {
    return false
  }
}

const restart = async ({ engines }: System, engine: DiskName, say: (line: string) => void): Promise<void> => {
  await engines.stop(engine)
  await engines.start(engine).catch((error: unknown) => {
    const [, ...said] = (error instanceof Error ? error.message : String(error)).split('\n')
    say(`${engine} does not start: ${said.join(' ')}`)
  })
}

export type Recovery = {
  readonly engineRestarts: number
  /** Number of points rewritten after the index was discarded; 0 if it was not. */
  readonly rebuiltPoints: number
}

/**
 * Recovers an engine as an operator does once there is space: does nothing if the engine works again by itself, else
 * restarts it. If restarts do not help, Qdrant's index is deleted and rebuilt from the items.
 */
export const recover = async (system: System, engine: DiskName, say: (line: string) => void): Promise<Recovery> => {
  const { engines, target } = system
  const stores = openStores(system)
  try {
    for (let tries = 0; tries < patience; tries += 1) {
      if (await works(system, stores, engine)) return { engineRestarts: 0, rebuiltPoints: 0 }
      await pause(everyMs)
    }
    for (let engineRestarts = 1; engineRestarts <= maxRestarts; engineRestarts += 1) {
      say(`${engine} does not go on by itself and is started again`)
      await restart(system, engine, say)
      if (await works(system, stores, engine)) return { engineRestarts, rebuiltPoints: 0 }
      await pause(everyMs)
    }
    if (engine !== 'qdrant') throw new Error(`${engine} does not work again after its disk was full`)
    say('the index is given up and rebuilt')
    rmSync(join(engines.home(engine), 'data'), { recursive: true, force: true })
    await engines.start(engine)
    const env = { PATH: process.env['PATH'], ...target.env }
    const { stdout } = await run(process.execPath, [ingestion, 'rebuild'], {
      env,
      timeout: rebuildWithinMs,
      maxBuffer: 64 << 20,
    })
    const { points } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as { readonly points: number }
    return { engineRestarts: maxRestarts + 1, rebuiltPoints: points }
  } finally {
    await stores.close()
  }
}

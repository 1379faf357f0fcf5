// node e2e/large-namespace.ts [--items N] [--engine sqlite|mongodb] [--kills N]
// Kills uploads to a namespace of millions of items repeatedly: no write to another namespace of the same account may be
// refused, and the counts must be correct in the end. For MongoDB, creates and drops a database at CAIRN_MONGODB_URL.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { systemClock } from '@cairn/adapters/clock/system'
import { randomIds } from '@cairn/domain/ids'
import type { Store } from '@cairn/domain/store'
import { countContent } from '@cairn/namespace/count-content'
import { recoverCounts } from '@cairn/namespace/recover-counts'
import { MongoClient } from 'mongodb'
import { openStore, prepareStore, type StorePlace } from './large-namespace/open-metadata.ts'

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '3000000' },
    engine: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '5' },
  },
})
const wanted = Number(values.items)
const kills = Number(values.kills)
const itemsAtOnce = 1_000
const fillsAtOnce = 4
/** Time limit of the recovery: entries of a dead request are overdue after 60 s. */
const recoveredWithinMs = 120_000

const clock = systemClock()
const ids = randomIds(clock.now)
const say = (line: string): void => console.log(line)
const seconds = (from: number): string => `${((performance.now() - from) / 1_000).toFixed(1)} s`
const folder = mkdtempSync(join(tmpdir(), 'cairn-large-'))
const database = `cairn_large_${randomBytes(4).toString('hex')}`
const url = process.env['CAIRN_MONGODB_URL'] ?? 'mongodb://127.0.0.1:27017'
const place: StorePlace = values.engine === 'mongodb' ? { url, database } : { file: join(folder, 'metadata.db') }

const makeNamespace = async (store: Store, accountId: string, name: string): Promise<string> => {
  const id = ids.next('ns')
  const rest = { type: 'vector', dimension: 4, embedding: null, createdAt: clock.now(), limit: null } as const
  await store.createNamespace({ id, accountId, name, ...rest })
  return id
}

const upload = (store: Store, accountId: string, namespaceId: string, names: readonly string[]) =>
  store.accept({
    uploadId: ids.next('upload_vec'),
    kind: 'vectors',
    accountId,
    namespaceId,
    documents: names.map((id) => ({ id, body: { text: '', metadata: '{}', vector: Float32Array.of(1, 0, 0, 0) } })),
    rejected: [],
    limit: null,
    correlationId: 'large-namespace',
    traceparent: null,
    at: clock.now(),
  })

const fill = async (store: Store, accountId: string, namespaceId: string): Promise<void> => {
  let next = 0
  const work = async (): Promise<void> => {
    while (next < wanted) {
      const from = next
      next += itemsAtOnce
      const names = Array.from(
        { length: Math.min(itemsAtOnce, wanted - from) },
        (_, index) => `i${String(from + index).padStart(9, '0')}`,
      )
      await upload(store, accountId, namespaceId, names)
      if (from % 500_000 === 0) say(`  ${from} items`)
    }
  }
  await Promise.all(Array.from({ length: fillsAtOnce }, work))
}

const killOne = async (accountId: string, namespaceId: string): Promise<void> => {
  const script = fileURLToPath(new URL('./large-namespace/upload-for-ever.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(place), accountId, namespaceId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  await pause(1_000 + Math.random() * 2_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
}

const main = async (): Promise<boolean> => {
  await prepareStore(place)
  let store = openStore(place)
  const accountId = ids.next('acc')
  await store.accounts.insert({
    id: accountId,
    name: 'large',
    tier: 'enterprise',
    subscriptionEndsAt: null,
    createdAt: clock.now(),
  })
  const large = await makeNamespace(store, accountId, 'large')
  const other = await makeNamespace(store, accountId, 'other')
  const filling = performance.now()
  await fill(store, accountId, large)
  say(`filled with ${wanted} items in ${seconds(filling)}`)

  let [written, refused] = [0, 0]
  const write = async (): Promise<void> => {
    try {
      await upload(store, accountId, other, [ids.next('beside')])
      written += 1
    } catch (error) {
      refused += 1
      say(`  refused: ${String(error)}`)
    }
  }
  for (let kill = 0; kill < kills; kill += 1) {
    // Only one process may open a SQLite file.
    if ('file' in place) await store.close()
    await killOne(accountId, large)
    if ('file' in place) store = openStore(place)
    for (let n = 0; n < 20; n += 1) await write()
  }
  const entries = async () => {
    const [namespace, account] = [await store.namespaces.get(large), await store.accounts.get(accountId)]
    return {
      namespace: namespace?.openCount ?? 0,
      account: account?.reservationCount ?? 0,
      itemCount: namespace?.itemCount ?? 0,
    }
  }
  const begun = await entries()
  say(`${kills} processes killed; entries left: ${begun.namespace} in the namespace, ${begun.account} in the account`)
  const recovering = performance.now()
  let left = begun
  for (let nextSweep = 0; performance.now() - recovering < recoveredWithinMs; ) {
    await write()
    if (performance.now() - recovering >= nextSweep) {
      await recoverCounts({ store, clock })()
      nextSweep += 5_000
      left = await entries()
      if (left.namespace + left.account === 0) break
    }
    await pause(50)
  }
  say(
    `recovered in ${seconds(recovering)}; ${written} writes beside, ${refused} refused; entries left: ${left.namespace}, ${left.account}`,
  )
  const counting = performance.now()
  const off = await countContent({ store, clock })(large, new AbortController().signal)
  const sum = await store.sumAccount(accountId)
  say(
    `full count of ${(await entries()).itemCount} items in ${seconds(counting)}: off by ${off}; the account: ${JSON.stringify(sum)}`,
  )
  await store.close()
  return refused === 0 && left.namespace + left.account === 0 && off === 0 && sum.outcome === 'counted' && sum.off === 0
}

const ended = await main().finally(async () => {
  rmSync(folder, { recursive: true, force: true })
  if ('file' in place) return
  const client = new MongoClient(place.url)
  await client.db(place.database).dropDatabase()
  await client.close()
})
say(ended ? 'held' : 'DID NOT HOLD')
process.exitCode = ended ? 0 : 1

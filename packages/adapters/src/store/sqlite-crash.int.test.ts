import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { countAll } from '@cairn/domain/protocol/scene.fixture'
import type { Store } from '@cairn/domain/store'
import { eventually } from '@cairn/testing/eventually'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { sqliteStore } from './sqlite.ts'

/**
 * Program that uses the store at `file` until it ends or is killed. Each line of its output is one response of the
 * store.
 */
const program = (file: string, body: string) => `
import { sqliteStore } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)}
const metadata = sqliteStore({ file: ${JSON.stringify(file)} })
const say = (line) => process.stdout.write(line + '\\n')
const shared = { accountId: 'acc', namespaceId: 'ns', correlationId: '', traceparent: null, at: 1 }
const documents = (ids, text) => ids.map((id) => ({ id, body: { text, metadata: '{}' } }))
const accept = (uploadId, documents) => metadata.accept({ ...shared, uploadId, kind: 'text', documents, rejected: [], limit: null })
await metadata.accounts.insert({ id: 'acc', name: 'a', tier: 't', subscriptionEndsAt: null, createdAt: 1 })
await metadata.createNamespace({ id: 'ns', accountId: 'acc', name: 'n', type: 'text', dimension: null, embedding: null, createdAt: 1, limit: null })
${body}`

const start = (file: string, body: string, { fileBlocks }: { readonly fileBlocks?: number } = {}) => {
  const script = join(dirname(file), 'program.mjs')
  writeFileSync(script, program(file, body))
  const command =
    fileBlocks === undefined
      ? [process.execPath, script]
      : ['sh', '-c', `ulimit -f ${fileBlocks}; exec "$0" "$1"`, process.execPath, script]
  const child = spawn(command[0] as string, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(child, 'close')
  // The last line may be incomplete if the process was killed.
  return { child, ended, lines: () => said.split('\n').slice(0, -1) }
}

const checkIntegrity = (file: string) => {
  const database = new DatabaseSync(file)
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()
}

/** Expects counters to match the stored records, before and after a full count. */
const checkCounts = async (store: Store) => {
  const exact = async () => {
    const items = await store.items.count('ns')
    expect(await store.namespaces.get('ns')).toMatchObject({ itemCount: items, open: {}, openCount: 0 })
    const sums = { documents: items, vectors: 0, namespaces: 1 }
    expect(await store.accounts.get('acc')).toMatchObject({
      counts: sums,
      held: sums,
      reservations: {},
      reservationCount: 0,
    })
  }
  await exact()
  expect(await countAll({ store, namespaceId: 'ns' })).toBe(0)
  expect(await store.sumAccount('acc')).toEqual({ outcome: 'counted', off: 0 })
  await exact()
}

/**
 * Program of 16 clients: each upload has two new ids and overwrites a shared id; after every third upload, the client
 * deletes one of its own ids.
 */
const traffic = `
await Promise.all(Array.from({ length: 16 }, async (_, client) => {
  for (let n = 0; n < 2_000; n++) {
    const name = client + '-' + n
    const { job } = await accept('up-' + name, documents(['a-' + name, 'b-' + name, 'shared-' + (n % 7)], 'text of up-' + name))
    say('accepted ' + name + ' ' + job.state)
    if (n % 3 !== 0) continue
    const { deleted } = await metadata.deleteItems({ ...shared, deletionId: 'del-' + name, namespaceName: 'n', space: { key: 's', dimension: 1 }, ids: ['b-' + name] })
    say('deleted ' + name + ' ' + deleted.length)
  }
}))`

const killed = async () => {
  const file = temporaryFile('metadata.db')
  const { child, ended, lines } = start(file, traffic)
  await eventually(lines, (said) => said.length > 150, { everyMs: 2 })
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  return { file, lines: lines() }
}

describe('SQLite metadata of a killed process', () => {
  it('has every acknowledged write, with exact counts, and loses only the incomplete end of its log', async () => {
    const { file, lines } = await killed()
    const logBytes = statSync(`${file}-wal`).size
    expect(logBytes).toBeGreaterThan(400_000)
    const torn = [logBytes - 1, logBytes - 3_000, Math.floor(logBytes / 2)].map((keptBytes) => {
      const copy = join(dirname(file), `torn-${keptBytes}.db`)
      for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix)
      truncateSync(`${copy}-wal`, keptBytes)
      return copy
    })

    checkIntegrity(file)
    const store = sqliteStore({ file })
    await checkCounts(store)
    const said = lines.map((line) => line.split(' ') as [string, string, string])
    const deleted = new Set(said.flatMap(([what, name]) => (what === 'deleted' ? [name] : [])))
    expect(deleted.size).toBeGreaterThan(10)
    for (const [what, name, outcome] of said) {
      if (what !== 'accepted') continue
      expect(outcome).toBe('queued')
      expect(await store.uploads.get(`up-${name}`)).toMatchObject({
        state: 'queued',
        ids: [`a-${name}`, `b-${name}`, expect.any(String)],
      })
      const [first, second] = await store.items.get('ns', [`a-${name}`, `b-${name}`])
      expect(first).toMatchObject({ id: `a-${name}`, version: `up-${name}`, body: { text: `text of up-${name}` } })
      if (deleted.has(name)) expect(second).toBeUndefined()
    }
    for (const name of deleted)
      expect(await store.deletions.get(`del-${name}`)).toMatchObject({
        itemsDone: true,
        list: [{ id: `b-${name}` }],
      })
    await store.close()

    for (const copy of torn) {
      const rest = sqliteStore({ file: copy })
      await checkCounts(rest)
      await rest.close()
      checkIntegrity(copy)
    }
  })
})

describe('SQLite metadata on a full disk', () => {
  it('is unavailable for writes that do not fit, keeps the others, and recovers', async () => {
    const file = temporaryFile('metadata.db')
    // `fileBlocks` limits files to 1 or 2 MB, depending on the shell; 100 documents of 50 kB exceed both.
    const { ended, lines } = start(
      file,
      `
const outcome = (call) => call.then((result) => result.outcome, (error) => error.name + ' ' + error.code)
const many = (from) => Array.from({ length: 100 }, (_, index) => 'i' + (from + index))
say(await outcome(accept('up-1', documents(['first'], 'small'))))
say(await outcome(accept('up-2', documents(many(0), 'x'.repeat(50_000)))))
say(await outcome(accept('up-3', documents(['second'], 'small'))))
say(await outcome(accept('up-4', documents(many(0), 'x'.repeat(50_000)))))
say(await outcome(accept('up-5', documents(many(0), 'small'))))
say(String(await metadata.items.count('ns')))
await metadata.close()`,
      { fileBlocks: 2_048 },
    )
    expect(await ended).toEqual([0, null])
    expect(lines()).toEqual(['accepted', 'AppError unavailable', 'accepted', 'AppError unavailable', 'accepted', '102'])
    checkIntegrity(file)
    const store = sqliteStore({ file })
    await checkCounts(store)
    expect(await store.uploads.get('up-2')).toBeUndefined()
    expect(await store.uploads.get('up-3')).toMatchObject({ ids: ['second'] })
    await store.close()
  })
})

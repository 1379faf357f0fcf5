import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Envelope } from '@cairn/contracts/events'
import { eventually } from '@cairn/testing/eventually'
import { createManualClock } from '@cairn/testing/manual-clock'
import { temporaryFile } from '@cairn/testing/temporary'
import { describe, expect, it, onTestFinished } from 'vitest'
import { messageBusContract } from './port.contract.ts'
import { type SqliteMessageBusOptions, sqliteMessageBus } from './sqlite.ts'

const inFile = <T>(file: string, use: (db: DatabaseSync) => T) => {
  const db = new DatabaseSync(file, { timeout: 1_000 })
  try {
    return use(db)
  } finally {
    db.close()
  }
}

messageBusContract({
  open: () => {
    const file = temporaryFile('bus.db')
    return {
      connect: () => sqliteMessageBus({ file }),
      // As another process would: in the file, without the bus.
      storeRaw: async (topic, key, raw) =>
        inFile(file, (db) => {
          const insert = db.prepare('INSERT INTO messages (topic, key, at, body) VALUES (?, ?, ?, ?)')
          const { lastInsertRowid } = insert.run(topic, key, Date.now(), raw)
          db.prepare('INSERT INTO pending (group_id, seq) SELECT id, ? FROM consumer_groups WHERE topic = ?').run(lastInsertRowid, topic)
        }),
    }
  },
  lacks: {},
})

const topic = 'things'
const from = { topic, group: 'g' }
const message = (id: string, key = id): Envelope => ({
  id,
  type: 't',
  key,
  correlationId: 'c',
  occurredAt: '2026-01-01T00:00:00.000Z',
  data: {},
})

const openBus = (options: SqliteMessageBusOptions) => {
  const bus = sqliteMessageBus(options)
  onTestFinished(() => bus.close())
  return bus
}

describe('file of the message bus', () => {
  it.each([
    ['another schema', 'PRAGMA user_version = 99', /bus\.db has message bus schema 99, this version reads 1: start the version/],
    ['tables of something else', 'CREATE TABLE recipes (name TEXT)', /bus\.db has message bus schema 0/],
  ])('is refused when it holds %s', async (_, statement, reason) => {
    const file = temporaryFile('bus.db')
    inFile(file, (db) => db.exec(statement))
    const before = readFileSync(file)
    const bus = openBus({ file })
    await expect(bus.publish(topic, [message('a')])).rejects.toThrow(reason)
    await expect(bus.subscribe(from, async () => {})).rejects.toMatchObject({ code: 'conflict' })
    expect(readFileSync(file)).toEqual(before)
  })

  it('is unavailable where it can not be made', async () => {
    const bus = openBus({ file: join(temporaryFile(), 'missing', 'bus.db') })
    await expect(bus.publish(topic, [message('a')])).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('fails an operation that can not be written, and goes on with the next', async () => {
    const file = temporaryFile('bus.db')
    const bus = openBus({ file })
    await bus.publish(topic, [message('a')])
    inFile(file, (db) => db.exec('ALTER TABLE consumer_groups RENAME TO hidden'))
    await expect(bus.publish(topic, [message('b')])).rejects.toMatchObject({ code: 'unavailable' })
    inFile(file, (db) => db.exec('ALTER TABLE hidden RENAME TO consumer_groups'))
    await bus.publish(topic, [message('c')])
    expect(await bus.backlog(from)).toMatchObject({ messages: 2 })
  })

  it('delivers at the next look what another process has published', async () => {
    const file = temporaryFile('bus.db')
    const { clock, pass } = createManualClock()
    const got: string[] = []
    await openBus({ file, clock }).subscribe(from, async ({ id }) => void got.push(id))
    await openBus({ file, clock }).publish(topic, [message('a')])
    pass(5_000)
    await expect.poll(() => got).toEqual(['a'])
  })
})

describe('retention of the message bus', () => {
  const keptIn = (file: string) =>
    inFile(file, (db) =>
      db
        .prepare('SELECT key FROM messages ORDER BY seq')
        .all()
        .map((row) => row.key),
    )
  const pagesOf = (file: string) => Number(inFile(file, (db) => db.prepare('PRAGMA page_count').get())?.page_count)

  it('removes what every group has handled after an hour, and what nobody has handled after the retention', async () => {
    const file = temporaryFile('bus.db')
    const { clock, pass } = createManualClock()
    const bus = openBus({ file, clock, retentionMs: 24 * 3_600_000 })
    let handled = 0
    await bus.subscribe(from, async ({ key }) => {
      if (key === 'stuck') throw new Error('not now')
      handled++
    })
    await bus.publish(topic, [message('old'), message('stuck'), message('old-2')])
    await bus.publish('nobody', [message('unheard')])
    await expect.poll(() => handled).toBe(2)
    await expect.poll(async () => (await bus.backlog(from)).messages).toBe(1)

    // The bus may not have begun to wait yet when time passes; it is passed again until it has looked.
    const keptAfter = (ms: number) => {
      pass(ms)
      return keptIn(file)
    }
    pass(3_500_000)
    await bus.publish(topic, [message('young')])
    await expect.poll(() => handled).toBe(3)
    expect(keptIn(file)).toEqual(['old', 'stuck', 'old-2', 'unheard', 'young'])
    await expect.poll(() => keptAfter(700_000)).toEqual(['stuck', 'unheard', 'young'])
    await expect.poll(() => keptAfter(24 * 3_600_000)).toEqual([])
    expect(await bus.backlog(from)).toMatchObject({ messages: 0 })
  })

  it('keeps the file bounded under a steady stream', async () => {
    const file = temporaryFile('bus.db')
    const { clock, pass } = createManualClock()
    const bus = openBus({ file, clock })
    let handled = 0
    await bus.subscribe(from, async () => void handled++)
    const round = async (n: number) => {
      await bus.publish(
        topic,
        Array.from({ length: 3_000 }, (_, index) => message(`${n}-${index}`)),
      )
      await expect.poll(async () => (await bus.backlog(from)).messages).toBe(0)
      await expect
        .poll(() => {
          pass(3_700_000)
          return keptIn(file)
        })
        .toEqual([])
    }
    await round(0)
    const atFirst = pagesOf(file)
    for (let n = 1; n < 4; n++) await round(n)
    expect(handled).toBe(12_000)
    expect(pagesOf(file)).toBeLessThan(atFirst * 1.2)
  })
})

/** Publishes and handles without end, and notes both in a file: a message as published once that is acknowledged, as handled before its handler resolves. */
const child = (file: string, journal: string, run: number) => `
  import { appendFileSync } from 'node:fs'
  import { sqliteMessageBus } from ${JSON.stringify(new URL('./sqlite.ts', import.meta.url).href)}
  const note = (line) => appendFileSync(${JSON.stringify(journal)}, line + '\\n')
  const bus = sqliteMessageBus({ file: ${JSON.stringify(file)} })
  const envelope = (id, key) => ({ id, type: 't', key, correlationId: 'c', occurredAt: '', data: {} })
  await bus.subscribe({ topic: 'things', group: 'g' }, async ({ id }) => {
    note('handled ' + id)
    await new Promise((resolve) => setImmediate(resolve))
  })
  const publisher = async (key) => {
    for (let n = 0; n < 5_000; n++) {
      const id = key + '/' + String(${run} * 5_000 + n)
      await bus.publish('things', [envelope(id, key)])
      note('published ' + id)
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, index) => publisher('key-' + index)))
`

const noted = (journal: string, what: string) =>
  existsSync(journal)
    ? readFileSync(journal, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith(`${what} `))
        .map((line) => line.slice(what.length + 1))
    : []

const runAndKill = async (file: string, journal: string, run: number) => {
  const before = noted(journal, 'handled').length
  const script = join(dirname(file), `run-${run}.mjs`)
  writeFileSync(script, child(file, journal, run))
  const running = spawn(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(running, 'exit')
  await eventually(
    () => noted(journal, 'handled').length,
    (count) => count > before + 300,
  )
  running.kill('SIGKILL')
  await ended
}

/** All that is still to be delivered, until nothing is left. */
const drain = async (file: string) => {
  const rest: string[] = []
  const bus = openBus({ file })
  await bus.subscribe(from, async ({ id }) => void rest.push(id))
  await expect.poll(async () => (await bus.backlog(from)).messages).toBe(0)
  await bus.close()
  return rest
}

describe('message bus of a killed process', () => {
  it('keeps every acknowledged message, in order, through kill -9 in mid-publish and mid-handle', async () => {
    const file = temporaryFile('bus.db')
    const journal = join(dirname(file), 'journal')
    for (let run = 0; run < 3; run++) await runAndKill(file, journal, run)
    const acknowledged = noted(journal, 'published')
    const delivered = [...noted(journal, 'handled'), ...(await drain(file))]
    expect(acknowledged.length).toBeGreaterThan(500)
    expect(acknowledged.filter((id) => !delivered.includes(id))).toEqual([])
    for (let key = 0; key < 8; key++) {
      const firsts = [...new Set(delivered)].filter((id) => id.startsWith(`key-${key}/`)).map((id) => Number(id.split('/')[1]))
      expect(firsts).toEqual(firsts.toSorted((left, right) => left - right))
    }
    expect(inFile(file, (db) => db.prepare('PRAGMA integrity_check').get())).toEqual({ integrity_check: 'ok' })
  })

  it('opens with a torn end of its log', async () => {
    const file = temporaryFile('bus.db')
    const journal = join(dirname(file), 'journal')
    await runAndKill(file, journal, 0)
    truncateSync(`${file}-wal`, statSync(`${file}-wal`).size - 1_000)
    const delivered = new Set([...noted(journal, 'handled'), ...(await drain(file))])
    const lost = noted(journal, 'published').filter((id) => !delivered.has(id))
    expect(delivered.size).toBeGreaterThan(300)
    expect(lost.length).toBeLessThan(50)
    expect(inFile(file, (db) => db.prepare('PRAGMA integrity_check').get())).toEqual({ integrity_check: 'ok' })
  })
})

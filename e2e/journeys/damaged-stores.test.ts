// Seven kinds of damage to the data directory of one process, each before a start and while it runs: what is said, and
// what is recovered. CAIRN_DAMAGE_TABLE=1 prints the table.
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { headerOf } from '@cairn/adapters/sqlite-files'
import { Cairn } from '@cairn/client'
import { eventually } from '@cairn/testing/eventually'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeOn } from '../describe-on.ts'
import { runStandalone, type Standalone, startStandalone } from '../target.ts'

const namespace = 'kept'
const main = join(import.meta.dirname, '../../services/standalone/src/main.ts')

/** Overwrites all pages but the first. */
const overwrite = (file: string): void => {
  const first = 8_192
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(statSync(file).size - first, 0x5a), 0, undefined, first)
  closeSync(handle)
}
const remove = (file: string): void => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}
const empty = (folder: string): void => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
}

type Kind = { readonly store: string; readonly act: (path: string) => void; readonly how: string }
const kinds: readonly Kind[] = [
  { store: 'vectors.db', how: 'overwritten', act: overwrite },
  { store: 'vectors.db', how: 'lost', act: remove },
  { store: 'metadata.db', how: 'overwritten', act: overwrite },
  { store: 'metadata.db', how: 'lost', act: remove },
  { store: 'secret', how: 'lost', act: remove },
  { store: 'files/index.db', how: 'lost', act: remove },
  { store: 'files/content', how: 'emptied', act: empty },
]

const databases = ['metadata.db', 'vectors.db', 'files/index.db']
const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-damage-'))
  folders.push(folder)
  return folder
}
const environment = (dataDir: string) => ({
  CAIRN_DATA_DIR: dataDir,
  CAIRN_EMBEDDER: 'lexical',
  CAIRN_CONSOLE: 'false',
})
const start = (dataDir: string) => startStandalone({ env: environment(dataDir) })
const sdkOf = ({ url, apiKey }: Standalone) => new Cairn({ url, apiKey, retries: 0 })
const find = (server: Standalone) =>
  sdkOf(server).search({ query: 'the bridge over the river', namespaces: [namespace], top_k: 5 })
/** Resolves once a search finds everything again, and to whether it said before that it was degraded. */
const findsAll = async (server: Standalone): Promise<boolean> => {
  let wasDegraded = false
  await eventually(
    () => find(server),
    ({ results, degraded }) => {
      wasDegraded ||= degraded !== undefined
      return results.length === 5 && degraded === undefined
    },
    { withinMs: 30_000, everyMs: 20 },
  )
  return wasDegraded
}
const bytesOf = async (server: Standalone): Promise<string> => {
  const { download_url } = await sdkOf(server).files.downloadUrl(namespace, 'bridge.txt')
  return (await fetch(download_url)).text()
}
const readiness = async ({ url }: Standalone) => {
  const response = await fetch(`${url}/readyz`)
  const { dependencies } = (await response.json()) as {
    readonly dependencies: Readonly<Record<string, { readonly detail?: string }>>
  }
  return { status: response.status, detail: dependencies['data-directory']?.detail ?? '' }
}
const rebuild = (dataDir: string, env: NodeJS.ProcessEnv = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'rebuild'], {
    env: { PATH: '/usr/bin:/bin', ...environment(dataDir), ...env },
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}
const fileText = 'The bridge over the river is kept in this file, byte by byte.'

/** Kills the process before its `step`th change of the names or numbers of the stores that are made again. */
const killer = (step: number): string => `
  import fs, { writeSync } from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  import { DatabaseSync } from 'node:sqlite'
  import { isMainThread } from 'node:worker_threads'
  let left = ${step}
  const watch = (owner, name, pattern) => {
    const call = owner[name]
    owner[name] = function (...values) {
      if (pattern.test(String(values[0])) && --left === 0) process.kill(process.pid, 'SIGKILL')
      return call.apply(this, values)
    }
  }
  if (isMainThread) {
    for (const name of ['writeFileSync', 'renameSync', 'rmSync']) watch(fs, name, /(vectors|index)\\.db/)
    watch(DatabaseSync.prototype, 'exec', /application_id = [1-9]/)
    syncBuiltinESMExports()
  }`
const killedAt = (step: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(killer(step))}`,
})

const table: string[] = []
const report = (kind: Kind, when: string, said: string, then: string) =>
  table.push(
    `${kind.store} ${kind.how} | ${when} | ${said.trim().replaceAll(/\S*cairn-damage-\w+/g, 'DATA')} | ${then}`,
  )

describeOn(['standalone'], 'a damaged data directory', () => {
  let seed = ''
  /** Data directory of another installation. */
  let foreign = ''
  const damaged = ({ store, act }: Kind): string => {
    const folder = newFolder()
    cpSync(seed, folder, { recursive: true })
    act(join(folder, store))
    return folder
  }
  /** Runs `rebuild`, starts, and resolves to what is found again. */
  const recover = async (dataDir: string, bytes: string): Promise<void> => {
    expect(rebuild(dataDir)).toMatchObject({ status: 0 })
    const server = await start(dataDir)
    try {
      await findsAll(server)
      expect(await bytesOf(server)).toContain(bytes)
    } finally {
      await server.stop()
    }
  }

  beforeAll(async () => {
    seed = newFolder()
    const source = newFolder()
    const server = await start(source)
    const sdk = sdkOf(server)
    await sdk.namespaces.create(namespace)
    const documents = Array.from({ length: 60 }, (_, number) => ({
      id: `note-${number}`,
      text: `Note ${number}: the bridge over the river was measured and painted in the year ${1900 + number}.`,
    }))
    await sdk.documents.upload(namespace, documents)
    await sdk.files.upload(namespace, new Blob([fileText]), { name: 'bridge.txt' })
    await findsAll(server)
    await eventually(
      () => sdk.files.status(namespace, 'bridge.txt'),
      ({ state }) => state === 'completed',
      { withinMs: 30_000 },
    )
    expect(await server.end()).toBe(0)
    cpSync(source, seed, { recursive: true })
    await server.stop()
    foreign = newFolder()
    const other = newFolder()
    const stranger = await start(other)
    expect(await stranger.end()).toBe(0)
    cpSync(other, foreign, { recursive: true })
    await stranger.stop()
  })
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    if (process.env['CAIRN_DAMAGE_TABLE']) console.log(table.join('\n'))
  })

  it.each(kinds.filter(({ how }) => how !== 'overwritten'))('stops the start: $store $how', async (kind) => {
    const dataDir = damaged(kind)
    const { code, output } = await runStandalone(environment(dataDir))
    expect(code).toBe(1)
    expect(output).toMatch(
      new RegExp(`Data directory \\S+: ${kind.store} is (missing|empty or missing)\\. It holds .+\\.`),
    )
    const isRebuilt = kind.store !== 'metadata.db' && kind.store !== 'secret'
    if (isRebuilt)
      await recover(dataDir, kind.store === 'files/content' ? 'The bytes of the file are no longer stored' : fileText)
    else expect(output).toContain('restore the data directory from a copy')
    report(kind, 'start', output, isRebuilt ? 'start refused; all found after `rebuild`' : 'start refused')
  })

  it.each(kinds.filter(({ how }) => how === 'overwritten'))(
    'reads all pages after a kill: $store $how',
    async (kind) => {
      const dataDir = newFolder()
      cpSync(seed, dataDir, { recursive: true })
      const first = await start(dataDir)
      await first.kill()
      kind.act(join(dataDir, kind.store))
      if (kind.store === 'metadata.db') {
        const { code, output } = await runStandalone(environment(dataDir))
        expect([code, output]).toEqual([1, expect.stringContaining('metadata.db is damaged. It holds')])
        expect(rebuild(dataDir)).toMatchObject({ status: 1, output: expect.stringContaining('metadata.db is damaged') })
        report(kind, 'start', output, 'start refused')
        return
      }
      await first.restart()
      const wasDegraded = await findsAll(first)
      expect(readdirSync(dataDir).filter((name) => /^vectors\.db\.set-aside-[^-].*Z$/.test(name))).toHaveLength(1)
      const line = /vectors\.db is damaged.*/.exec(first.logs())?.[0] ?? ''
      report(kind, 'start', line, `made again${wasDegraded ? '; degraded meanwhile' : ''}`)
      await first.stop()
    },
  )

  it('makes a damaged list of files again at the start, and keeps the damaged one', async () => {
    const dataDir = newFolder()
    cpSync(seed, dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'files/index.db'), 'no database')
    const server = await start(dataDir)
    try {
      expect(await bytesOf(server)).toBe(fileText)
      expect(server.logs()).toContain('files/index.db made again: {"found":1,"missing":0,"unmatched":1}')
      expect(readdirSync(join(dataDir, 'files')).some((name) => name.startsWith('index.db.set-aside-'))).toBe(true)
    } finally {
      await server.stop()
    }
  })

  it('makes damaged stores again wherever a process was killed that did so', { timeout: 300_000 }, async () => {
    const ends: boolean[] = []
    for (let isKilled = true; isKilled; ) {
      const dataDir = newFolder()
      cpSync(seed, dataDir, { recursive: true })
      for (const name of ['vectors.db', 'files/index.db']) writeFileSync(join(dataDir, name), 'no database')
      isKilled = rebuild(dataDir, killedAt(ends.length + 1)).status === null
      if (!isKilled) continue
      const server = await start(dataDir)
      try {
        ends.push(await findsAll(server))
        expect([ends.length, await bytesOf(server)]).toEqual([ends.length, fileText])
        const names = [...readdirSync(dataDir), ...readdirSync(join(dataDir, 'files'))]
        expect(names.filter((name) => name.endsWith('.lost'))).toEqual([])
        const kept = names.filter((name) => name.includes('.set-aside-'))
        expect([ends.length, kept.length]).toEqual([ends.length, 2])
      } finally {
        await server.stop()
      }
    }
    expect(ends.length).toBeGreaterThan(8)
    expect(ends).toEqual(ends.map(() => true))
  })

  it('stops the start with another secret', async () => {
    const dataDir = newFolder()
    cpSync(seed, dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'secret'), `${'s'.repeat(43)}\n`)
    const { code, output } = await runStandalone(environment(dataDir))
    expect([code, output]).toEqual([1, expect.stringContaining('secret is not the one of this installation')])
  })

  it.each(['vectors.db', 'files/index.db'])('stops the start with %s of another installation', async (name) => {
    const dataDir = newFolder()
    cpSync(seed, dataDir, { recursive: true })
    cpSync(join(foreign, name), join(dataDir, name))
    const { code, output } = await runStandalone(environment(dataDir))
    expect([code, output]).toEqual([1, expect.stringContaining(`${name} belongs to another installation. It holds`)])
    expect(output).toContain('put the file of this installation in its place. If that is not possible, run')
    const rebuilt = rebuild(dataDir)
    expect(rebuilt).toMatchObject({ status: 0, output: expect.stringContaining(`${name} belongs to another`) })
    expect(rebuilt.output).not.toContain('damaged')
    await recover(dataDir, fileText)
    table.push(
      `${name} of another installation | start | ${output.trim()} | start refused; all found after \`rebuild\``,
    )
  })

  it('takes over a data directory that an earlier version wrote, without numbers', async () => {
    const dataDir = newFolder()
    cpSync(seed, dataDir, { recursive: true })
    rmSync(join(dataDir, 'installation'))
    for (const name of databases) {
      const database = new DatabaseSync(join(dataDir, name))
      database.exec('PRAGMA application_id = 0; PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
    }
    const server = await start(dataDir)
    try {
      await findsAll(server)
      const tags = databases.map((name) => headerOf(join(dataDir, name))?.tag)
      expect(new Set(tags).size).toBe(1)
      expect(tags[0]).toBeGreaterThan(0)
    } finally {
      await server.stop()
    }
  })

  it.each(kinds)('is not ready and takes nothing while it runs: $store $how', async (kind) => {
    const dataDir = newFolder()
    cpSync(seed, dataDir, { recursive: true })
    const server = await start(dataDir)
    try {
      kind.act(join(dataDir, kind.store))
      // SQLite notices damaged pages when it reads them.
      if (kind.how === 'overwritten') {
        const reads = {
          'vectors.db': () => find(server),
          'metadata.db': () => Array.fromAsync(sdkOf(server).documents.page(namespace, { limit: 100 })),
        }
        await expect(reads[kind.store as keyof typeof reads]()).rejects.toMatchObject({ status: 503 })
      }
      const { status, detail } = await eventually(
        () => readiness(server),
        (now) => now.status === 503,
        { everyMs: 50 },
      )
      expect(detail).toContain(`${kind.store} is`)
      expect(detail).toContain('It holds')
      const upload = sdkOf(server).documents.upload(namespace, [{ id: 'new', text: 'This text can not be kept now.' }])
      await expect(upload).rejects.toMatchObject({ status: 503 })
      report(kind, 'running', `/readyz ${status}: ${detail}`, 'uploads 503')
      await server.kill()
      if (kind.store === 'vectors.db' && kind.how === 'overwritten') {
        await server.restart()
        await findsAll(server)
      }
    } finally {
      await server.stop()
    }
  })
})

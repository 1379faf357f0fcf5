import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Cairn } from '@cairn/client'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Standalone, startStandalone } from '../../../e2e/target.ts'
import { cairnAsking, cairn as runCommand } from './run.fixture.ts'

/** Long, because processes start and files are processed while other tests run. */
const patienceMs = 120_000
/** Commits of the replay; `CAIRN_SYNC_COMMITS=100` replays more. */
// biome-ignore lint/style/noProcessEnv: chosen by hand for a longer run
const commits = Number(process.env['CAIRN_SYNC_COMMITS'] ?? 15)
// biome-ignore lint/style/noProcessEnv: chosen by hand to repeat a failed run
const seed = Number(process.env['CAIRN_SYNC_SEED'] ?? 1)

let server: Standalone
let client: Cairn
beforeAll(async () => {
  server = await startStandalone()
  client = new Cairn({ url: server.url, apiKey: server.apiKey })
}, patienceMs)
afterAll(() => server.stop())

/** A machine: a folder for what the command remembers. */
const machine = () => ({ CAIRN_URL: server.url, CAIRN_API_KEY: server.apiKey, CAIRN_DATA_DIR: temporaryDirectory() })
type Machine = ReturnType<typeof machine>

let names = 0
const scene = async (files: Readonly<Record<string, string>> = {}) => {
  names += 1
  const name = `mirror-${names}`
  await client.namespaces.create(name)
  const folder = join(temporaryDirectory(), 'docs')
  mkdirSync(folder)
  const write = (file: string, text: string) => {
    mkdirSync(join(folder, file, '..'), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  for (const [file, text] of Object.entries(files)) write(file, text)
  const env = machine()
  const syncOn = async (on: Machine, ...args: string[]) => {
    const { code, out, err } = await runCommand(on, 'sync', folder, '--to', name, '--json', ...args)
    return { code, err, data: out === '' ? undefined : JSON.parse(out) }
  }
  return {
    ...{ name, folder, env, write, syncOn },
    sync: (...args: string[]) => syncOn(env, ...args),
    listed: async () => (await client.files.list(name)).files.map(({ file_name }) => file_name).toSorted(),
    remove: (file: string) => rmSync(join(folder, file)),
    /** Uploads a file as somebody else. */
    upload: (file: string, text: string) => client.files.upload(name, new Blob([text]), { name: file }),
  }
}
const text = (subject: string) => `The ${subject} marks the path over the pass.\n`
const ten = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`f${index}.md`, text(`stone ${index}`)]))

describe('cairn sync', { timeout: patienceMs }, () => {
  it('adds, replaces and removes, and says from where to where', async () => {
    const { sync, listed, write, remove, name } = await scene(ten)
    const first = await sync('--wait')
    expect(first).toMatchObject({ code: 0, data: { changed: [], removed: [], unchanged: 0, failed: [] } })
    expect(first.err).toMatch(
      new RegExp(`^/\\S+/docs → docs/ in namespace "${name}" on ${server.url} \\(CAIRN_URL\\)\n`),
    )
    expect(first.data.added).toHaveLength(10)
    write('f1.md', text('cairn 1'))
    write('inner/new.md', text('new'))
    remove('f2.md')
    const plan = { added: ['docs/inner/new.md'], changed: ['docs/f1.md'], removed: ['docs/f2.md'], unchanged: 8 }
    const before = await listed()
    expect(await sync('--dry-run')).toMatchObject({ code: 0, err: '', data: plan })
    expect(await listed()).toEqual(before)
    expect(await sync()).toMatchObject({ code: 0, data: plan })
    expect(await listed()).toEqual([...before.filter((file) => file !== 'docs/f2.md'), 'docs/inner/new.md'].toSorted())
    expect((await sync()).data).toMatchObject({ added: [], changed: [], removed: [], unchanged: 10 })
  })

  it('never touches what it has not brought', async () => {
    const { sync, listed, write, upload, remove, name } = await scene(ten)
    await upload('elsewhere.md', text('other'))
    await upload('docs/theirs.md', text('other'))
    await upload('docs/f1.md', text('other file with the same name'))
    const first = await sync()
    expect(first).toMatchObject({ code: 1, data: { kept: ['docs/theirs.md'], failed: [{ name: 'docs/f1.md' }] } })
    expect(first.data.failed[0].message).toContain('--adopt')
    // Replaced by somebody else after it was brought: neither replaced nor removed.
    await upload('docs/f3.md', text('replacement by others'))
    await upload('docs/f4.md', text('another replacement by others'))
    write('f3.md', text('own change'))
    remove('f4.md')
    expect(await sync()).toMatchObject({ code: 1, data: { removed: [], changed: [] } })
    const sizes = new Map((await client.files.list(name)).files.map(({ file_name, size }) => [file_name, size]))
    for (const [file, subject] of [
      ['docs/f1.md', 'other file with the same name'],
      ['docs/f3.md', 'replacement by others'],
      ['docs/f4.md', 'another replacement by others'],
      ['elsewhere.md', 'other'],
    ] as const)
      expect(sizes.get(file)).toBe(text(subject).length)
    // Adopting replaces and removes, after a question.
    expect(await sync('--adopt')).toMatchObject({ code: 2, data: undefined, err: expect.stringContaining('--yes') })
    expect(await sync('--adopt', '--yes')).toMatchObject({ code: 0, data: { kept: [], failed: [] } })
    expect(await listed()).toEqual([
      ...Object.keys(ten)
        .filter((file) => file !== 'f4.md')
        .map((file) => `docs/${file}`),
      'elsewhere.md',
    ])
  })

  it('stops before it removes more than 20 percent', async () => {
    const { sync, listed, remove, env, folder, name } = await scene(ten)
    await sync()
    for (const file of ['f0.md', 'f1.md']) remove(file)
    expect(await sync()).toMatchObject({ code: 0, data: { removed: ['docs/f0.md', 'docs/f1.md'] } })
    for (const file of ['f2.md', 'f3.md']) remove(file)
    expect(await sync()).toMatchObject({
      code: 2,
      err: expect.stringContaining(`--yes to remove 2 of 8 files from "${name}" below docs/ (more than 20 %)`),
    })
    expect(await sync('--dry-run')).toMatchObject({ code: 0, data: { removed: ['docs/f2.md', 'docs/f3.md'] } })
    expect(await cairnAsking(['y'], env, 'sync', folder, '--to', name)).toMatchObject({ code: 1 })
    expect(await listed()).toHaveLength(8)
    expect(await cairnAsking([name], env, 'sync', folder, '--to', name)).toMatchObject({ code: 0 })
    expect(await listed()).toHaveLength(6)
    // An empty folder, such as one whose disk is not mounted.
    for (const file of readdirSync(folder)) remove(file)
    expect(await sync()).toMatchObject({ code: 2 })
    expect(await sync('--yes')).toMatchObject({ code: 0 })
    expect(await listed()).toEqual([])
  })

  it('is the same from a machine that remembers nothing, with --adopt', async () => {
    const { sync, syncOn, listed, write, remove } = await scene(ten)
    await sync()
    const other = machine()
    write('f1.md', text('cairn 1'))
    remove('f2.md')
    expect(await syncOn(other)).toMatchObject({
      code: 1,
      data: { added: [], changed: [], removed: [], kept: ['docs/f2.md'] },
    })
    expect(await syncOn(other, '--adopt', '--yes')).toMatchObject({ code: 0, data: { removed: ['docs/f2.md'] } })
    expect(await listed()).toHaveLength(9)
    expect(await syncOn(other)).toMatchObject({ code: 0, data: { unchanged: 9 } })
    // The first machine knows nothing of the second one's versions.
    expect(await sync()).toMatchObject({ code: 1, data: { removed: [] } })
  })

  it('continues what cairn add has begun, below another prefix on request', async () => {
    const { sync, name, env, folder, listed } = await scene({ 'a.md': text('a') })
    await runCommand(env, 'add', folder, '--to', name, '--wait')
    expect(await sync()).toMatchObject({ code: 0, data: { added: [], changed: [], unchanged: 1 } })
    expect(await sync('--prefix', '/manual/v1/')).toMatchObject({ code: 0, data: { added: ['manual/v1/a.md'] } })
    expect(await sync('--prefix', '')).toMatchObject({ code: 0, data: { added: ['a.md'] } })
    expect(await listed()).toEqual(['a.md', 'docs/a.md', 'manual/v1/a.md'])
  })

  it('knows a name in both forms of Unicode, follows no links, and tells upper from lower case', async () => {
    const { sync, listed, folder, write } = await scene({ 'cafe\u0301.md': text('cafe'), 'A.md': text('a') })
    symlinkSync(join(folder, 'A.md'), join(folder, 'link.md'))
    symlinkSync(folder, join(folder, 'loop'))
    await sync()
    expect(await listed()).toEqual(['docs/A.md', 'docs/caf\u00e9.md'])
    renameSync(join(folder, 'cafe\u0301.md'), join(folder, 'caf\u00e9.md'))
    renameSync(join(folder, 'A.md'), join(folder, 'a.md'))
    expect((await sync('--yes')).data).toMatchObject({ added: ['docs/a.md'], removed: ['docs/A.md'], unchanged: 1 })
    write('cafe\u0301.md', text('twice'))
    expect(await sync()).toMatchObject({ code: 2, err: expect.stringContaining('would both be named') })
  })

  it('refuses what is not a folder, and a namespace that does not exist', async () => {
    const { folder, env, name } = await scene({ 'a.md': text('a') })
    expect(await runCommand(env, 'sync', join(folder, 'a.md'), '--to', name)).toMatchObject({ code: 2 })
    expect(await runCommand(env, 'sync', join(folder, 'none'), '--to', name)).toMatchObject({ code: 2 })
    expect(await runCommand(env, 'sync', folder, '--to', name, '--prefix', 'a/../b')).toMatchObject({
      code: 2,
      out: '',
    })
    expect(await runCommand(env, 'sync', folder, '--to', 'none')).toMatchObject({ code: 4 })
  })

  it(`mirrors ${commits} commits although it is killed (seed ${seed})`, { timeout: commits * 8_000 }, async () => {
    const { name, folder, env, sync, upload } = await scene()
    const repository = createRepository(folder, seed)
    await upload('docs/theirs.md', text('other'))
    let kills = 0
    for (let commit = 0; commit < commits; commit += 1) {
      repository.commit()
      kills += (await runAndKill(env, folder, name, repository.random)) ? 1 : 0
    }
    const last = await sync('--yes', '--wait')
    expect(last).toMatchObject({ code: 0, data: { failed: [], kept: ['docs/theirs.md'] } })
    const [expected, found] = [repository.files(), new Map<string, string>()]
    for (const { file_name: file } of (await client.files.list(name)).files) {
      if (file === 'docs/theirs.md') continue
      // Files of killed runs may still be in work.
      await client.waitFor.file(name, file)
      const chunks: string[] = []
      for await (const chunk of client.files.chunks(name, file)) chunks.push(chunk.text)
      found.set(file, chunks.join('\n'))
    }
    const missing = [...expected.keys()].filter((file) => !found.has(file))
    const extra = [...found.keys()].filter((file) => !expected.has(file))
    const stale = [...expected]
      .filter(([file, content]) => !found.get(file)?.includes(content.trim()))
      .map(([file]) => file)
    expect({ missing, extra, stale }).toEqual({ missing: [], extra: [], stale: [] })
    expect(kills).toBeGreaterThan(commits / 5)
    expect((await sync()).data).toMatchObject({ added: [], changed: [], removed: [], unchanged: expected.size })
  })
})

/** A folder of documents that each commit changes: adds, edits, renames and removes files. */
const createRepository = (folder: string, start: number) => {
  let state = start
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]
  let count = 0
  const content = () => {
    count += 1
    return text(`version ${count} of ${'x'.repeat(1 + Math.floor(random() * 20))}`)
  }
  const paths = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'))
  const add = () => {
    const path = `part-${Math.floor(random() * 4)}/page-${Math.floor(random() * 60)}.md`
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content())
  }
  const change = (): void => {
    const path = pick(paths())
    const kind = random()
    if (path === undefined || kind < 0.35) add()
    else if (kind < 0.65) writeFileSync(join(folder, path), content())
    else if (kind < 0.85)
      renameSync(join(folder, path), join(folder, path.replace(/\d+\.md$/, `${Math.floor(random() * 60)}.md`)))
    else rmSync(join(folder, path))
  }
  for (let file = 0; file < 25; file += 1) add()
  return {
    random,
    commit: () => {
      for (let changes = 1 + Math.floor(random() * 6); changes > 0; changes -= 1) change()
    },
    files: () => new Map(paths().map((path) => [`docs/${path}`, readFileSync(join(folder, path), 'utf8')])),
  }
}

/** Starts the command in a process and kills it at a random time, if it has not ended. Resolves to whether it was killed. */
const runAndKill = async (env: Machine, folder: string, name: string, random: () => number): Promise<boolean> => {
  const args = [join(import.meta.dirname, 'main.ts'), 'sync', folder, '--to', name, '--yes']
  // biome-ignore lint/style/noProcessEnv: the process needs PATH to find its programs
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  // The first line is written when the command begins.
  await Promise.race([once(child.stderr, 'data'), ended])
  if (random() < 0.7) await Promise.race([delay(random() * 150), ended])
  else await ended
  child.kill('SIGKILL')
  await ended
  return child.signalCode === 'SIGKILL'
}

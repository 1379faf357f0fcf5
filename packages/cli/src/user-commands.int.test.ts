import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Standalone, startStandalone } from '../../../e2e/target.ts'
import { cairnAsking, cairn as runCommand, startCairn } from './run.fixture.ts'

/** Long, because a process starts and files are processed while other tests run. */
const patienceMs = 60_000

let server: Standalone
beforeAll(async () => {
  server = await startStandalone()
}, patienceMs)
afterAll(() => server.stop())

/** Settings of a user beside the server, or of one with another data directory, who has no key. */
const environment = (dataDir?: string) =>
  dataDir === undefined ? { CAIRN_DATA_DIR: server.dataDir } : { CAIRN_URL: server.url, CAIRN_DATA_DIR: dataDir }
const cairn = (...args: string[]) => runCommand(environment(), ...args)
const json = async (...args: string[]) => {
  const { code, out, err } = await cairn(...args, '--json')
  return { code, err, data: out === '' ? undefined : JSON.parse(out) }
}

let names = 0
const createNamespace = async (): Promise<string> => {
  names += 1
  const name = `notes-${names}`
  expect(await cairn('ns', 'create', name)).toMatchObject({ code: 0, out: expect.stringContaining(name) })
  return name
}
const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = join(temporaryDirectory(), 'docs')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}
const guide = 'A cairn marks the path over the pass.\n'
const bread = 'Bread is baked from flour and water.\n'

describe('cairn ns', { timeout: patienceMs }, () => {
  it('creates, lists and deletes namespaces', async () => {
    const name = await createNamespace()
    expect(await cairn('ns', 'create', 'points', '--vector', '3')).toMatchObject({ code: 0 })
    const { out } = await cairn('ns', 'list')
    expect(out).toMatch(/^NAMESPACE +TYPE +MODEL +DIMENSIONS +ITEMS +CREATED\n/)
    expect(out).toMatch(/^points +vector +- +3 +0 /m)
    const { data } = await json('ns', 'list')
    expect(data.namespaces.map((each: { namespace_name: string }) => each.namespace_name)).toContain(name)
    expect(await cairn('ns', 'delete', name, '--yes', '--wait')).toMatchObject({
      code: 0,
      out: `Namespace "${name}" is deleted\n`,
    })
    expect(await cairn('ns', 'create', name, '--language', 'de')).toMatchObject({ code: 0 })
  })

  it('deletes nothing before a person has said so, or --yes', async () => {
    const name = await createNamespace()
    const ask = (...answers: string[]) => cairnAsking(answers, environment(), 'ns', 'delete', name)
    const address = server.url.replace('127.0.0.1', 'localhost')
    expect(await cairn('ns', 'delete', name)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    for (const answer of ['', 'n', 'yes', `${name}2`])
      expect(await ask(answer)).toMatchObject({
        code: 1,
        err: 'cairn: Not confirmed: nothing was changed\n',
        asked: [
          `This will delete the namespace "${name}" with its 0 items on ${address} (the address in ${join(server.dataDir, 'address')}). Type ${name} to confirm: `,
        ],
      })
    expect((await cairn('ns', 'list')).out).toContain(name)
    expect(await cairnAsking(['y'], environment(), 'ns', 'delete', 'none')).toMatchObject({ code: 4, asked: [] })
    expect(await ask(name)).toMatchObject({ code: 0 })
    expect((await cairn('ns', 'list')).out).not.toContain(name)
    const other = await createNamespace()
    expect(await cairnAsking([], environment(), 'ns', 'delete', other, '--yes')).toMatchObject({ code: 0, asked: [] })
  })

  it('says why it can not', async () => {
    const name = await createNamespace()
    expect(await cairn('ns', 'create', name)).toMatchObject({ code: 4, err: expect.stringContaining('already exists') })
    expect(await cairn('ns', 'delete', 'none', '--yes')).toMatchObject({ code: 4 })
    expect(await cairn('ns', 'create', 'x', '--vector', 'many')).toMatchObject({ code: 2 })
    expect(await cairn('ns', 'create', 'x', '--vector', '3', '--language', 'de')).toMatchObject({ code: 2 })
    const env = { ...environment(temporaryDirectory()), CAIRN_API_KEY: 'nobody' }
    expect(await runCommand(env, 'ns', 'list')).toMatchObject({ code: 3 })
    expect(await runCommand(environment(temporaryDirectory()), 'ns', 'list')).toMatchObject({
      code: 3,
      err: expect.stringContaining('CAIRN_API_KEY'),
    })
    const nowhere = { CAIRN_URL: 'http://127.0.0.1:1', CAIRN_API_KEY: 'nobody' }
    expect(await runCommand(nowhere, 'ns', 'list')).toMatchObject({ code: 5 })
  })
})

describe('cairn add', { timeout: patienceMs }, () => {
  it('adds a folder, and later only what has changed', async () => {
    const name = await createNamespace()
    const folder = folderWith({ 'guide.md': guide, 'inner/bread.txt': bread, 'image.ico': 'x' })
    const add = () => json('add', folder, '--to', name, '--wait')
    const first = (await add()).data
    expect(first).toMatchObject({ unchanged: 0, failed: [] })
    expect(first.added.toSorted()).toEqual(['docs/guide.md', 'docs/inner/bread.txt'])
    expect((await add()).data).toMatchObject({ added: [], unchanged: 2 })

    // A new modification time alone is not a change; different content of the same length is.
    utimesSync(join(folder, 'guide.md'), 1, 1)
    expect((await add()).data).toMatchObject({ added: [], unchanged: 2 })
    writeFileSync(join(folder, 'guide.md'), guide.replace('path', 'road'))
    expect((await add()).data).toMatchObject({ added: ['docs/guide.md'], unchanged: 1 })

    // Files that were deleted on the server, or replaced there by another client, are added again.
    await cairn('rm', 'docs/inner/bread.txt', '--from', name, '--files', '--yes')
    expect((await add()).data).toMatchObject({ added: ['docs/inner/bread.txt'], unchanged: 1 })
    const other = folderWith({ 'guide.md': guide.replace('path', 'lane') })
    await runCommand(environment(temporaryDirectory()), 'add', other, '--to', name).then(({ code }) =>
      expect(code).toBe(3),
    )
    const elsewhere = { ...environment(temporaryDirectory()), CAIRN_API_KEY: server.apiKey }
    expect(await runCommand(elsewhere, 'add', other, '--to', name, '--wait')).toMatchObject({ code: 0 })
    expect((await add()).data).toMatchObject({ added: ['docs/guide.md'], unchanged: 1 })
  })

  it('counts the notes of files, and status prints each with its place', async () => {
    const name = await createNamespace()
    const folder = folderWith({ 'people.csv': `name,age\nAnn,7\nBea,"8"x\nCid,9\n`, 'guide.md': guide })
    const { code, err } = await cairn('add', folder, '--to', name, '--wait')
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining('docs/people.csv: 1 note (row_unreadable)'),
    })
    expect(err).not.toContain('docs/guide.md:')
    expect((await cairn('status', name, 'docs/people.csv')).out).toMatch(
      /^notes +1\n.+^ {2}row_unreadable: Row 3\b.+ \(row 3\)$/ms,
    )
    expect((await json('status', name, 'docs/people.csv')).data.notes).toMatchObject([
      { code: 'row_unreadable', place: { row_from: 3, row_to: 3 } },
    ])
  })

  it('prints figures for people, and names what failed', async () => {
    const name = await createNamespace()
    const folder = folderWith({ 'guide.md': guide, 'broken.pdf': 'not a pdf' })
    expect(await cairn('add', folder, '--to', name, '--wait')).toMatchObject({
      code: 1,
      out: '1 added, 0 unchanged, 1 failed\n',
      err: expect.stringMatching(/docs\/broken\.pdf: .+\ncairn: 1 of 2 files failed\n$/s),
    })
    expect(await cairn('files', name)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^FILE +BYTES +MODIFIED\ndocs\/broken\.pdf +9 .+\ndocs\/guide\.md +38 /),
    })
    expect(await cairn('status', name)).toMatchObject({ out: expect.stringContaining('1 of 2 files are completed') })
    expect(await cairn('status', name, 'docs/guide.md')).toMatchObject({
      out: expect.stringMatching(/^file +docs\/guide\.md\nstate +completed\n/),
    })
  })

  it('continues after it was stopped', async () => {
    const name = await createNamespace()
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}.txt`, `${guide}${index}`]))
    const folder = folderWith(files)
    const { stop, ended } = startCairn(environment(), 'add', folder, '--to', name, '--json')
    // More than can be in progress concurrently, so that the upload of some files has certainly ended.
    await expect
      .poll(async () => (await json('files', name)).data?.files.length, { timeout: 20_000 })
      .toBeGreaterThan(8)
    stop()
    expect(await ended).toMatchObject({ code: 130, out: '' })
    const { data } = await json('add', folder, '--to', name)
    expect(data.unchanged).toBeGreaterThan(0)
    expect(data.added.length + data.unchanged).toBe(60)
    expect((await json('files', name)).data.files).toHaveLength(60)
  })

  it('goes on adding what changes, until it is stopped', async () => {
    const name = await createNamespace()
    const folder = folderWith({ 'guide.md': guide })
    const { stop, ended } = startCairn(environment(), 'add', folder, '--to', name, '--watch')
    const count = async () => (await json('files', name)).data.files.length
    await expect.poll(count, { timeout: 30_000 }).toBe(1)
    writeFileSync(join(folder, 'bread.md'), bread)
    await expect.poll(count, { timeout: 30_000 }).toBe(2)
    // A file deleted from the folder stays in the namespace.
    rmSync(join(folder, 'guide.md'))
    writeFileSync(join(folder, 'bread.md'), bread.repeat(2))
    const size = async () =>
      (await json('files', name)).data.files.find((file: { file_name: string }) => file.file_name === 'docs/bread.md')
        .size
    await expect.poll(size, { timeout: 30_000 }).toBe(2 * bread.length)
    stop()
    expect(await ended).toMatchObject({ code: 0, err: expect.stringContaining('watching') })
    expect(await count()).toBe(2)
  })

  it('sends metadata with files, and changes those of files that stay the same', async () => {
    const name = await createNamespace()
    const folder = folderWith({ 'a.md': guide, 'b.md': bread })
    const found = async (filter: string) => {
      const { data } = await json('search', 'cairn bread path', '--in', name, '--filter', filter)
      return data.results.map(({ metadata }: { metadata: { source: string } }) => metadata.source).toSorted()
    }
    const add = (meta: string) => json('add', folder, '--to', name, '--wait', '--meta', meta)
    expect(await add('{"team":"alps"}')).toMatchObject({
      code: 0,
      data: { added: expect.arrayContaining(['docs/a.md', 'docs/b.md']) },
    })
    expect(await found('{"key":"team","eq":"alps"}')).toEqual(['docs/a.md', 'docs/b.md'])
    expect(await add('{"team":"sea"}')).toMatchObject({ code: 0, data: { added: [], unchanged: 2 } })
    expect(await found('{"key":"team","eq":"sea"}')).toEqual(['docs/a.md', 'docs/b.md'])
    for (const meta of ['{', '[]', '"x"'])
      expect(await cairn('add', folder, '--to', name, '--meta', meta)).toMatchObject({
        code: 2,
        err: expect.stringContaining('--meta must be'),
      })
  })

  it('downloads the original of a file, and asks before it overwrites one', async () => {
    const name = await createNamespace()
    const folder = folderWith({ 'a.md': guide })
    expect(await cairn('add', folder, '--to', name)).toMatchObject({ code: 0 })
    const path = join(folder, 'copy.md')
    const get = (...more: string[]) => json('get', '--file', 'docs/a.md', '--from', name, '-o', path, ...more)
    expect(await get()).toMatchObject({
      code: 0,
      err: expect.stringMatching(/docs\/a\.md in namespace .* → .*copy\.md/),
      data: { file_name: 'docs/a.md', path, size: guide.length, etag: expect.any(String) },
    })
    expect(readFileSync(path, 'utf8')).toBe(guide)
    writeFileSync(path, 'mine')
    expect(await get()).toMatchObject({ code: 2, err: expect.stringContaining('--yes') })
    expect(readFileSync(path, 'utf8')).toBe('mine')
    expect((await get('--yes')).code).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe(guide)
    expect(await cairn('get', '--file', 'docs/none.md', '--from', name, '-o', join(folder, 'x.md'))).toMatchObject({
      code: 4,
    })
    expect(await cairn('get', 'id', '--from', name, '-o', path)).toMatchObject({ code: 2 })
    expect(readdirSync(folder).toSorted()).toEqual(['a.md', 'copy.md'])
    writeFileSync(path, 'mine')
    chmodSync(path, 0o600)
    const link = join(folder, 'link.md')
    symlinkSync(path, link)
    const over = (to: string) => cairn('get', '--file', 'docs/a.md', '--from', name, '-o', to, '--yes')
    expect(await over(link)).toMatchObject({ code: 0, out: expect.stringContaining(`${guide.length} bytes`) })
    expect([lstatSync(link).isSymbolicLink(), statSync(path).mode & 0o777]).toEqual([true, 0o600])
    expect(readFileSync(path, 'utf8')).toBe(guide)
    expect(await over(folder)).toMatchObject({ code: 2, err: expect.stringContaining('is not a file') })
    expect(readdirSync(folder).toSorted()).toEqual(['a.md', 'copy.md', 'link.md'])
  })

  it('adds standard input under a name', async () => {
    const name = await createNamespace()
    const main = join(import.meta.dirname, 'main.ts')
    const args = [main, 'add', '-', '--name', 'input.md', '--to', name, '--wait']
    // biome-ignore lint/style/noProcessEnv: the process needs PATH to find its programs
    const env = { ...process.env, ...environment() }
    const { status, stdout } = spawnSync(process.execPath, args, { env, input: guide, encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'input.md added\n' })
    expect((await json('status', name, 'input.md')).data).toMatchObject({ state: 'completed', size: guide.length })
  })

  it('refuses what it can not add', async () => {
    const name = await createNamespace()
    const folder = folderWith({ 'image.ico': 'x' })
    expect(await cairn('add', folder, '--to', name)).toMatchObject({ code: 2 })
    expect(await cairn('add', join(folder, 'none'), '--to', name)).toMatchObject({ code: 2 })
    expect(await cairn('add', '-', folder, '--to', name)).toMatchObject({ code: 2 })
    expect(await cairn('add', '-', '--to', name)).toMatchObject({ code: 2, err: expect.stringContaining('--name') })
    expect(await cairn('add', folder)).toMatchObject({ code: 2, err: expect.stringContaining('--to') })
    const guides = folderWith({ 'guide.md': guide })
    expect(await cairn('add', guides, '--to', 'none')).toMatchObject({ code: 4 })
  })
})

describe('cairn search, ask, get and rm', { timeout: patienceMs }, () => {
  it('find, answer, print and delete', async () => {
    const name = await createNamespace()
    await cairn('add', folderWith({ 'guide.md': guide, 'bread.md': bread }), '--to', name, '--wait')

    const { out } = await cairn('search', 'path over the pass', '--in', name, '--top', '1')
    expect(out).toMatch(/^SCORE +NAMESPACE +SOURCE +TEXT\n\d\.\d{3} +notes-\d+ +docs\/guide\.md +A cairn marks/)
    for (const top of ['5000', '0', '1.5'])
      expect(await cairn('search', 'path', '--in', name, '--top', top)).toEqual({
        code: 2,
        out: '',
        err: `cairn: --top must be a whole number from 1 to 100, not ${top}\n`,
      })
    const found = await json('search', 'path over the pass', '--in', name, '--mode', 'lexical')
    expect(found.data.results[0]).toMatchObject({ text: expect.stringContaining('cairn') })
    expect(
      (await json('search', 'bread', '--in', name, '--filter', '{"key":"source","eq":"none"}')).data.results,
    ).toEqual([])

    const answer = await cairn('ask', 'What marks the path over the pass?', '--in', name)
    expect(answer).toMatchObject({ code: 0, out: expect.stringMatching(/cairn marks the path.*SCORE +SOURCE/s) })
    expect((await json('ask', 'What marks the path over the pass?', '--in', name)).data).toMatchObject({
      model: 'extractive',
      answer: expect.stringContaining('cairn'),
    })

    const [{ id }] = found.data.results
    expect(await cairn('get', id, '--from', name)).toMatchObject({
      code: 0,
      out: expect.stringContaining(guide.trim()),
    })
    expect(await cairn('get', id, 'none', '--from', name)).toMatchObject({ code: 4, err: 'cairn: Not found: none\n' })
    expect(await cairn('rm', 'docs/bread.md', 'none.md', '--from', name, '--files', '--yes')).toMatchObject({
      code: 1,
      out: '1 of 2 files deleted\n',
      err: expect.stringMatching(/\ncairn: none\.md: File not found\n$/),
    })
  })

  it('print the chunks of a file in reading order', async () => {
    const name = await createNamespace()
    const paragraphs = Array.from({ length: 13 }, (_, index) =>
      `Chapter ${index} of the guide. ${guide.trim()} `.repeat(40),
    )
    await cairn('add', folderWith({ 'long.txt': paragraphs.join('\n\n') }), '--to', name, '--wait')
    const { code, data } = await json('get', '--file', 'docs/long.txt', '--from', name)
    expect(code).toBe(0)
    const indexes = data.items.map(({ metadata }: { metadata: { chunk_index: number } }) => metadata.chunk_index)
    expect(indexes.length).toBeGreaterThan(11)
    expect(indexes).toEqual(indexes.map((_: number, index: number) => index))
    const { out } = await cairn('get', '--file', 'docs/long.txt', '--from', name)
    expect([...out.matchAll(/^\S+_chunk_(\d+) {2}\{/gm)].map(([, index]) => Number(index))).toEqual(indexes)
    expect(await cairn('get', '--from', name)).toMatchObject({ code: 2 })
    expect(await cairn('get', 'x', '--file', 'y', '--from', name)).toMatchObject({ code: 2 })
    expect(await cairn('get', '--file', 'none.txt', '--from', name)).toMatchObject({ code: 4 })
  })

  it('delete documents by id and by a filter', async () => {
    const name = await createNamespace()
    const documents = [1, 2, 3].map((id) => ({ id, text: `${guide}${id}`, year: 2000 + id }))
    const response = await fetch(`${server.url}/v1/namespaces/${name}/documents`, {
      method: 'POST',
      headers: { 'x-api-key': server.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ documents }),
    })
    expect(response.status).toBe(202)
    const filter = '{"key":"year","gte":2002}'
    const dry = () => json('rm', '--from', name, '--filter', filter, '--dry-run')
    await expect.poll(async () => (await dry()).data?.matched_items, { timeout: 30_000 }).toBe(2)
    expect(await cairn('rm', '--from', name, '--filter', filter, '--yes')).toMatchObject({
      out: '2 documents deleted\n',
    })
    expect(await cairn('rm', '1', '--from', name, '--yes')).toMatchObject({ out: '1 documents deleted\n' })
    expect(await cairn('rm', '--from', name)).toMatchObject({ code: 2 })
    expect(await cairn('rm', '1', '--from', name, '--filter', filter)).toMatchObject({ code: 2 })
    expect(await cairn('rm', '1', '--from', name, '--dry-run')).toMatchObject({ code: 2 })
    expect(await cairn('rm', '--from', name, '--filter', '{')).toMatchObject({ code: 2 })
    expect(await cairn('rm', '1', '--from', name, '--all')).toMatchObject({ code: 2 })
    const broad = ['rm', '--from', name, '--filter', '{"key":"year","ne":""}', '--yes']
    expect(await cairn(...broad)).toMatchObject({ code: 2, err: expect.stringContaining('"all": true') })
    expect(await cairn(...broad, '--all')).toMatchObject({ code: 0, out: '0 documents deleted\n' })
  })

  it('search and ask all namespaces, or those that are named', async () => {
    const [name, other] = [await createNamespace(), await createNamespace()]
    const wicket = 'The wicket of the mountain garden is repaired by Ottilie.'
    await cairn('add', folderWith({ 'bread.md': bread }), '--to', other, '--wait')
    await cairn('add', folderWith({ 'wicket.md': wicket }), '--to', name, '--wait')
    const question = ['ask', 'Who repairs the wicket of the mountain garden?']
    const { code, out } = await cairn(...question)
    expect(code).toBe(0)
    expect(out).toContain('Ottilie')
    expect(out).toMatch(new RegExp(`^ *SCORE +NAMESPACE +SOURCE +TEXT\n *\\S+ +${name} `, 'm'))
    const askedIn = async (...names: readonly string[]) => {
      const { data } = await json(...question, ...names.flatMap((each) => ['--in', each]))
      return data.sources.map(({ namespace }: { readonly namespace: string }) => namespace)
    }
    expect(await askedIn(other, name)).toEqual([name, other])
    expect(await askedIn(other)).toEqual([other])
    expect((await cairn(...question, '--in', name)).out).not.toContain('NAMESPACE')
    expect(await cairn('search', 'path', '--top', '0')).toMatchObject({ code: 2 })
    expect((await json('search', 'path')).code).toBe(0)
  })
})

describe('cairn usage', { timeout: patienceMs }, () => {
  it('prints what the account of the key has used', async () => {
    const name = await createNamespace()
    const ofNamespace = async () => (await cairn('usage', '--by', 'namespace')).out
    await expect.poll(ofNamespace, { timeout: 10_000 }).toMatch(new RegExp(`^${name} +1 +1$`, 'm'))
    const { out, code } = await cairn('usage')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^\d{4}-\d\d\n +USED +LIMIT\nrequests +\d+ +unlimited\ncredits +\d+ +unlimited\n\nDAY +REQUESTS/,
    )
    expect(out).toMatch(/\d to \d{4}-\d\d-\d\d: \d+ requests, \d+ credits\n$/)
    const { data } = await json('usage', '--by', 'key', '--from', '2026-01-01', '--to', '2026-01-31')
    expect(data).toMatchObject({ by: 'key', from: '2026-01-01', to: '2026-01-31', rows: [] })
    expect(await cairn('usage', '--by', 'month')).toMatchObject({
      code: 2,
      err: 'cairn: --by must be day, namespace or key\n',
    })
    expect(await cairn('usage', '--from', '2026-02-02', '--to', '2026-02-01')).toMatchObject({
      code: 2,
      err: expect.stringContaining('from must not be after to'),
    })
  })
})

describe('cairn status and open', { timeout: patienceMs }, () => {
  it('say whether the server is ready, and where its console is', async () => {
    expect(await cairn('status')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^server +http.+\nstate +ready\n/),
    })
    expect(await cairn('status', '--url', 'http://127.0.0.1:1')).toMatchObject({ code: 5 })
  })

  it('open the console by the address in the data directory, with a code that signs in once', async () => {
    const { code, out } = await runCommand({ CAIRN_DATA_DIR: server.dataDir }, 'open')
    expect(code).toBe(0)
    const { origin, pathname, hash } = new URL(out.trim())
    expect(pathname).toBe('/')
    expect(new URL(origin).port).toBe(new URL(server.url).port)
    const page = await fetch(origin, { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const exchange = () =>
      fetch(`${origin}/console/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: hash.replace('#code=', '') }),
      })
    expect(await (await exchange()).json()).toEqual({ api_key: server.apiKey })
    expect((await exchange()).status).toBe(401)
    expect((await json('open')).data).toEqual({
      address: expect.stringMatching(/\/#code=cairn_code_\w+$/),
      expires_at: expect.any(String),
    })
    expect(await cairn('open', '--url', 'http://127.0.0.1:1')).toMatchObject({ code: 3 })
  })
})

describe('cairn retry', { timeout: patienceMs }, () => {
  it('counts what can be retried, and says what to do about the rest', async () => {
    const name = await createNamespace()
    const folder = folderWith({ 'blank.txt': '   ' })
    await cairn('add', folder, '--to', name, '--wait')
    const refused = await cairn('retry', name)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('1 could not be retried') })
    expect(refused.out).toMatch(
      /^0 documents and 0 files queued for retry\n1 files not retried \(no_text\): The file holds.*\n {2}docs\/blank\.txt\n$/,
    )
    const named = ['retry', name, '--reason', 'no_text', '--kind', 'files']
    expect(await cairn(...named, '--dry-run')).toMatchObject({
      code: 0,
      out: '0 documents and 1 files would be retried\n',
    })
    expect((await json(...named)).data).toMatchObject({ files: 1, file_names: ['docs/blank.txt'], refused: [] })
    expect((await json('retry', name, '--id', 'x', '--id', 'y')).data).toMatchObject({ documents: 0, refused: [] })
  })

  it('refuses options that do not go together', async () => {
    for (const args of [
      ['--id', 'x', '--upload', 'u'],
      ['--id', 'x', '--kind', 'files'],
      ['--upload', 'u', '--since', '2026-01-01T00:00:00Z'],
      ['--kind', 'chunks'],
      ['--since', 'yesterday'],
    ])
      expect(await cairn('retry', 'notes', ...args)).toMatchObject({ code: args[1] === 'yesterday' ? 4 : 2 })
  })

  it('shows an upload with its documents that are not completed', async () => {
    const name = await createNamespace()
    const documents = [
      { id: 'good', text: guide },
      { id: 'bad', text: 'short' },
    ]
    const { upload_id: id } = (await (
      await fetch(`${server.url}/v1/namespaces/${name}/documents`, {
        method: 'POST',
        headers: { 'x-api-key': server.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ documents }),
      })
    ).json()) as { upload_id: string }
    const { code, out } = await cairn('status', name, '--upload', id)
    expect(code).toBe(0)
    expect(out).toContain(id)
    expect(out).toMatch(/^bad {2}failed {2}text must have at least 10 characters.*Correct the document/m)
    expect(out).not.toMatch(/^good {2}failed/m)
    expect(await cairn('status', name, 'a.txt', '--upload', id)).toMatchObject({ code: 2 })
    expect(await cairn('status', '--upload', id)).toMatchObject({ code: 2 })
    expect(await cairn('status', name, '--upload', 'upload_nothing')).toMatchObject({ code: 4 })
  })
})

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiKey } from '@cairn/runtime/http/api-key'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { cairn, cairnAsking, cairnReading } from './run.fixture.ts'
import { type Reply, serve } from './serve.fixture.ts'

const failure = (status: number, message: string): Reply => ({ status, body: { status: 'failure', message } })
const [one, two] = [generateApiKey(), generateApiKey()]

/** A server that accepts a key, and a home folder. */
const scene = async (accepted = one.apiKey, reply: Reply = { status: 200, body: { namespaces: [] } }) => {
  const { url, seen } = await serve(({ apiKey }) =>
    apiKey === accepted ? reply : failure(401, 'Unauthorized: Invalid API key'),
  )
  const home = temporaryDirectory()
  const folder = join(home, 'cairn')
  const env = { XDG_CONFIG_HOME: home, CAIRN_DATA_DIR: join(home, 'none') }
  return { env, url, seen, folder, file: join(folder, 'profiles.json') }
}
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

describe('cairn login', () => {
  it('stores the address and the key, once the server has accepted the key', async () => {
    const { env, url, seen, folder, file } = await scene()
    expect(await cairnReading(`${one.apiKey}\n`, env, 'login', '--url', url)).toEqual({
      code: 0,
      out: `Logged in to ${url} (profile default)\n`,
      err: '',
    })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ profiles: { default: { url, api_key: one.apiKey } } })
    expect([modeOf(file), modeOf(folder)]).toEqual(['600', '700'])
    expect(seen.map((request) => request.url)).toEqual(['/v1/usage'])
    expect(await cairn(env, 'ns', 'list')).toMatchObject({ code: 0, err: '' })
    expect(seen.at(-1)).toMatchObject({ apiKey: one.apiKey })
  })

  it('asks in a terminal, for the key without showing it', async () => {
    const { env, url, file } = await scene()
    const { asked, ...ended } = await cairnAsking([url, one.apiKey], env, 'login', '--profile', 'work')
    expect(ended).toEqual({ code: 0, out: `Logged in to ${url} (profile work)\n`, err: '' })
    expect(asked).toEqual([
      'Address of the server [http://localhost:3000]: ',
      `hidden: API key of ${url} (not shown): `,
    ])
    expect(JSON.parse(readFileSync(file, 'utf8')).profiles).toEqual({ work: { url, api_key: one.apiKey } })
    expect(await cairn(env, 'ns', 'list', '--profile', 'work')).toMatchObject({ code: 0 })
    expect(await cairn({ ...env, CAIRN_PROFILE: 'work' }, 'ns', 'list')).toMatchObject({ code: 0 })
  })

  it('stores nothing that the server refuses, and keeps the other profiles', async () => {
    const { env, url, file } = await scene()
    await cairnReading(one.apiKey, env, 'login', '--url', url)
    const before = readFileSync(file, 'utf8')
    for (const [stdin, address, code] of [
      [two.apiKey, url, 3],
      ['', url, 2],
      ['x'.repeat(10_000), url, 2],
      ['a\nkey', url, 2],
      [one.apiKey, 'http://127.0.0.1:1', 5],
      [one.apiKey, 'localhost', 2],
    ] as const)
      expect(await cairnReading(stdin, env, 'login', '--url', address)).toMatchObject({ code, out: '' })
    expect(await cairnReading(one.apiKey, env, 'login', '--url', url, '--profile', '../x')).toMatchObject({ code: 2 })
    expect(await cairn(env, 'login', '--key', one.apiKey)).toMatchObject({ code: 2 })
    expect(readFileSync(file, 'utf8')).toBe(before)
    await cairnReading(one.apiKey, env, 'login', '--url', url, '--profile', 'work')
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles)).toEqual(['default', 'work'])
  })

  it('accepts a key that may only write', async () => {
    const { env, url } = await scene(one.apiKey, failure(403, 'Forbidden: Insufficient permissions'))
    expect(await cairnReading(one.apiKey, env, 'login', '--url', url)).toMatchObject({ code: 0 })
    const inactive = await scene(one.apiKey, failure(403, 'Forbidden'))
    expect(await cairnReading(one.apiKey, inactive.env, 'login', '--url', inactive.url)).toMatchObject({ code: 3 })
  })

  it('says with --status which server and key are used, without the key', async () => {
    const { env, url } = await scene()
    await cairnReading(one.apiKey, env, 'login', '--url', url)
    const { code, out } = await cairn(env, 'login', '--status')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^server +http.+\naddress from +profile default\nkey from +profile default\nkey id +\w{12}\nThe/,
    )
    expect(out).not.toContain(one.apiKey)
    const other = await cairn({ ...env, CAIRN_URL: url, CAIRN_API_KEY: two.apiKey }, 'login', '--status', '--json')
    expect(other).toMatchObject({ code: 3, err: 'cairn: Unauthorized: Invalid API key\n' })
    expect(JSON.parse(other.out)).toEqual({
      ...{ url, url_from: 'CAIRN_URL', key_from: 'CAIRN_API_KEY', key_id: two.keyId },
      ...{ profiles: [{ name: 'default', url }], accepted: false },
    })
    expect(await cairn({ XDG_CONFIG_HOME: '/nonexistent' }, 'login', '--status')).toMatchObject({ code: 3 })
  })
})

describe('a profile', () => {
  it('gives way to the environment and to --url, except if --profile names it', async () => {
    const [{ env, url, seen }, other] = [await scene(), await scene(two.apiKey)]
    await cairnReading(one.apiKey, env, 'login', '--url', url, '--profile', 'work')
    const set = { ...env, CAIRN_URL: other.url, CAIRN_API_KEY: two.apiKey }
    expect(await cairn({ ...set, CAIRN_PROFILE: 'work' }, 'ns', 'list')).toMatchObject({ code: 0 })
    expect(other.seen).toHaveLength(1)
    seen.length = 0
    expect(await cairn(set, 'ns', 'list', '--profile', 'work')).toMatchObject({ code: 0 })
    expect(seen).toHaveLength(1)
    expect(await cairn({ ...set, CAIRN_URL: url }, 'ns', 'list', '--url', other.url)).toMatchObject({ code: 0 })
  })

  it('takes precedence over the data directory', async () => {
    const { env, url, seen } = await scene()
    await cairnReading(one.apiKey, env, 'login', '--url', url)
    const dataDir = temporaryDirectory()
    writeFileSync(join(dataDir, 'address'), 'http://127.0.0.1:1')
    writeFileSync(join(dataDir, 'api-key'), two.apiKey)
    expect(await cairn({ ...env, CAIRN_DATA_DIR: dataDir }, 'ns', 'list')).toMatchObject({ code: 0 })
    expect(seen.at(-1)).toMatchObject({ apiKey: one.apiKey })
  })

  it('sends its key to no other server', async () => {
    const [{ env, url }, other] = [await scene(), await scene()]
    await cairnReading(one.apiKey, env, 'login', '--url', url)
    for (const args of [
      ['ns', 'list'],
      ['ns', 'list', '--profile', 'default'],
    ])
      expect(await cairn(env, ...args, '--url', other.url)).toMatchObject({
        code: 3,
        err: expect.stringContaining('use cairn login'),
      })
    expect(await cairn({ ...env, CAIRN_URL: other.url }, 'ns', 'list')).toMatchObject({ code: 3 })
    expect(other.seen).toEqual([])
  })

  it('must exist if it is named', async () => {
    const { env } = await scene()
    const err = 'cairn: There is no profile "work": create it with cairn login --profile work\n'
    expect(await cairn(env, 'ns', 'list', '--profile', 'work')).toEqual({ code: 4, out: '', err })
    expect(await cairn({ ...env, CAIRN_PROFILE: 'work' }, 'ns', 'list')).toMatchObject({ code: 4, err })
  })

  it('is removed by cairn logout', async () => {
    const { env, url, file } = await scene()
    await cairnReading(one.apiKey, env, 'login', '--url', url)
    expect(await cairn(env, 'logout')).toEqual({ code: 0, out: `Logged out of ${url} (profile default)\n`, err: '' })
    expect(readFileSync(file, 'utf8')).not.toContain(one.apiKey)
    expect(await cairn(env, 'logout')).toMatchObject({ code: 4 })
  })

  it('is not read from a damaged file, which is kept', async () => {
    const { env, file, folder } = await scene()
    mkdirSync(folder)
    writeFileSync(file, '{"profiles":')
    expect(await cairn(env, 'ns', 'list')).toMatchObject({ code: 2, err: expect.stringContaining('remove it') })
    expect(await cairnReading(one.apiKey, env, 'login')).toMatchObject({ code: 2 })
    expect(readFileSync(file, 'utf8')).toBe('{"profiles":')
  })
})

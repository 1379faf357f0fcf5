import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateApiKey } from '@cairn/runtime/http/api-key'
import { temporaryDirectory } from '@cairn/testing/temporary'
import { describe, expect, it } from 'vitest'
import { openerOf } from './open.ts'
import { cairn, cairnReading } from './run.fixture.ts'
import { serve } from './serve.fixture.ts'
import { readSettings } from './settings.ts'

const [profileKey, variableKey] = [generateApiKey().apiKey, generateApiKey().apiKey]
const adminKeys = { file: 'admin key of the folder', variable: 'admin key of the environment' }
const apiKeys = { file: 'api key of the folder', variable: variableKey, profile: profileKey }

type Server = Awaited<ReturnType<typeof serve>>
type Scene = { readonly home: string; readonly dataDir: string; readonly server: Server; readonly other: Server }

/** Two servers, a home folder and a data directory, with the files of these sources. */
const scene = async (): Promise<Scene> => {
  const reply = { status: 200, body: { namespaces: [], accounts: [] } }
  const [server, other, home] = [await serve(reply), await serve(reply), temporaryDirectory()]
  const dataDir = join(home, 'data')
  mkdirSync(dataDir)
  return { home, dataDir, server, other }
}
const storeProfile = async ({ home, other }: Scene, name: string) => {
  const env = { XDG_CONFIG_HOME: home, CAIRN_DATA_DIR: join(home, 'none') }
  await cairnReading(profileKey, env, 'login', '--url', other.url, '--profile', name)
  other.seen.length = 0
}

type Source = { readonly env?: Record<string, string>; readonly args?: readonly string[] }
/** Sources of the address; all of them name the server `other`. */
const addresses: Readonly<Record<string, (at: Scene) => Promise<Source> | Source>> = {
  '--url': ({ other }) => ({ args: ['--url', other.url] }),
  '--profile': async (at) => {
    await storeProfile(at, 'work')
    return { args: ['--profile', 'work'] }
  },
  CAIRN_URL: ({ other }) => ({ env: { CAIRN_URL: other.url } }),
  CAIRN_PROFILE: async (at) => {
    await storeProfile(at, 'work')
    return { env: { CAIRN_PROFILE: 'work' } }
  },
  'default profile': async (at) => {
    await storeProfile(at, 'default')
    return {}
  },
  'data directory': ({ dataDir, other }) => {
    writeFileSync(join(dataDir, 'address'), `${other.url}\n`)
    return {}
  },
}
/** Sources of the keys. The folder of `elsewhere` has the address of another server beside its keys. */
const keys: Readonly<Record<string, (at: Scene, address: string) => Source>> = {
  variable: () => ({ env: { CAIRN_API_KEY: apiKeys.variable, CAIRN_ADMIN_KEY: adminKeys.variable } }),
  'file of a variable': ({ home }) => {
    writeFileSync(join(home, 'api'), apiKeys.variable)
    writeFileSync(join(home, 'admin'), adminKeys.variable)
    return { env: { CAIRN_API_KEY_FILE: join(home, 'api'), CAIRN_ADMIN_KEY_FILE: join(home, 'admin') } }
  },
  'data directory': ({ dataDir }) => {
    writeFileSync(join(dataDir, 'api-key'), apiKeys.file)
    writeFileSync(join(dataDir, 'admin-key'), adminKeys.file)
    return {}
  },
  elsewhere: ({ dataDir, server }, address) => {
    writeFileSync(join(dataDir, 'api-key'), apiKeys.file)
    writeFileSync(join(dataDir, 'admin-key'), adminKeys.file)
    if (address !== 'data directory') writeFileSync(join(dataDir, 'address'), server.url)
    return {}
  },
  none: () => ({}),
}

const named = ['--url', '--profile', 'CAIRN_URL', 'CAIRN_PROFILE']
/** Returns the keys that belong to the address. */
const expectedOf = (key: string, address: string) => {
  const isVariable = key === 'variable' || key === 'file of a variable'
  const isBeside = (key === 'data directory' || key === 'elsewhere') && address === 'data directory'
  const isOfProfile = address === 'CAIRN_PROFILE' || (address === 'default profile' && !isVariable)
  const profile = isOfProfile ? apiKeys.profile : undefined
  return {
    api:
      address === '--profile'
        ? apiKeys.profile
        : isVariable && named.includes(address)
          ? apiKeys.variable
          : isBeside
            ? apiKeys.file
            : profile,
    admin: isVariable && named.includes(address) ? adminKeys.variable : isBeside ? adminKeys.file : undefined,
  }
}

describe('a key is sent only to the address that it belongs to', () => {
  const combinations = Object.keys(keys).flatMap((key) => Object.keys(addresses).map((address) => ({ key, address })))

  it.each(combinations)('key: $key, address: $address', async ({ key, address }) => {
    const at = await scene()
    const [of, from] = [await addresses[address]?.(at), keys[key]?.(at, address)]
    const env = { XDG_CONFIG_HOME: at.home, CAIRN_DATA_DIR: at.dataDir, ...of?.env, ...from?.env }
    const expected = expectedOf(key, address)
    const results = [
      await cairn(env, 'ns', 'list', ...(of?.args ?? [])),
      await cairn(env, 'accounts', 'list', ...(of?.args ?? [])),
    ]
    const wanted = [expected.api, expected.admin]
    expect(results.map(({ code }) => code)).toEqual(wanted.map((each) => (each === undefined ? 3 : 0)))
    const sent = at.other.seen.map(({ apiKey, adminKey }) => apiKey ?? adminKey)
    expect(sent).toEqual(wanted.filter((each) => each !== undefined))
    expect(at.server.seen).toEqual([])
  })

  it('sends those of a folder nowhere while no address is beside them', async () => {
    const { home, dataDir } = await scene()
    writeFileSync(join(dataDir, 'api-key'), apiKeys.file)
    const env = { XDG_CONFIG_HOME: home, CAIRN_DATA_DIR: dataDir }
    expect(() => readSettings(env).apiKey()).toThrow(
      `No key for http://localhost:3000 (default address): CAIRN_API_KEY is sent only to the address in CAIRN_URL or --url, ${join(dataDir, 'api-key')} only to the one in ${join(dataDir, 'address')}; use cairn login,`,
    )
    expect(readSettings({ ...env, CAIRN_API_KEY: 'k' }).apiKey()).toBe('k')
  })

  it('says why a key of the environment is not sent', async () => {
    const { home, dataDir, other } = await scene()
    writeFileSync(join(dataDir, 'address'), other.url)
    const env = { XDG_CONFIG_HOME: home, CAIRN_DATA_DIR: dataDir, CAIRN_API_KEY: apiKeys.variable }
    expect(await cairn(env, 'ns', 'list')).toMatchObject({
      code: 3,
      err: expect.stringContaining(': CAIRN_API_KEY is sent only to the address in CAIRN_URL or --url, '),
    })
    expect(await cairnReading(apiKeys.variable, env, 'login')).toMatchObject({ code: 2 })
    // Another key is not used in its place: it may permit more.
    writeFileSync(join(dataDir, 'api-key'), apiKeys.file)
    expect(await cairn(env, 'ns', 'list')).toMatchObject({ code: 3 })
    expect(other.seen).toEqual([])
    writeFileSync(join(dataDir, 'api-key'), `${apiKeys.variable}\n`)
    expect(await cairn(env, 'ns', 'list')).toMatchObject({ code: 0 })
  })
})

describe('cairn open', () => {
  it('hands the address to a program that is no shell, on every system', () => {
    expect(openerOf('win32')).toEqual(['rundll32', 'url.dll,FileProtocolHandler'])
    expect([openerOf('darwin'), openerOf('linux')]).toEqual([['open'], ['xdg-open']])
  })

  it('refuses a path that leads to another server', async () => {
    for (const path of ['@127.0.0.1:1/#code=x', '.example.org/#code=x']) {
      const { url } = await serve({ status: 200, body: { path, expires_at: '' } })
      expect(await cairn({ CAIRN_URL: url, CAIRN_API_KEY: 'k' }, 'open')).toMatchObject({ code: 1, out: '' })
    }
  })
})

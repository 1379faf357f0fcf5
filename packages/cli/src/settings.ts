import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'
import { type Environment, type Profile, readProfiles, stateFolder } from './profiles.ts'

export type Settings = {
  /** Without a trailing slash. */
  readonly url: string
  /** For people: `CAIRN_URL`. */
  readonly urlOrigin: string
  /** Found in a file: neither the user nor the environment named it. */
  readonly isUrlFound: boolean
  /** May not exist. */
  readonly profile: string
  readonly dataDir: string
  /** What the command remembers; without CAIRN_DATA_DIR, independent of the current folder. */
  readonly stateDir: string
  readonly env: Environment
  /** Throws `unauthenticated`, with the ways to set a key, if no key is set. */
  adminKey(): string
  apiKey(): string
  /** Returns the key; its origin is for people. */
  findApiKey(): Secret
  /** Returns undefined without a key: an edge store may run without one. */
  edgeKey(): string | undefined
}

type Secret = { readonly value: string; readonly origin: string }

const defaultUrl = 'http://localhost:3000'

export const checkUrl = (address: string): string => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(address))
    throw new AppError('invalid', `The address ${address} has no scheme: add http:// or https://`)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new AppError('invalid', `The address of the server must begin with http:// or https://, not ${address}`)
  // A key in the URL would appear in logs; the API accepts keys only in a header.
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    throw new AppError('invalid', 'The address of the server must have no user, query or fragment')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** Returns a secret from its variable, or the file that `<name>_FILE` names. */
const fromEnvironment = (env: Environment, name: string): Secret | undefined => {
  const value = env[name]
  const file = env[`${name}_FILE`]
  if (value && file) throw new AppError('invalid', `${name} and ${name}_FILE are both set: use one of them`)
  if (value) return { value, origin: name }
  return file ? fromFile(file, name) : undefined
}

const fromFile = (file: string, name: string): Secret => {
  const value = read(file)
  if (value !== undefined) return { value, origin: file }
  throw new AppError('unauthenticated', `The file ${file} of ${name}_FILE has no key, or can't be read`)
}

type Choice = { readonly url?: string | undefined; readonly profile?: string | undefined }

/** Returns undefined if there is no default profile. */
const findProfile = (env: Environment, name: string, isNamed: boolean): Profile | undefined => {
  const found = readProfiles(env).get(name)
  if (found || !isNamed) return found
  throw new AppError('notFound', `There is no profile "${name}": create it with cairn login --profile ${name}`)
}

/**
 * Options precede the environment, this the profile, and this what a server has written into its data directory
 * (`CAIRN_DATA_DIR`, by default `./data`, as for the server).
 */
export const readSettings = (env: Environment, chosen: Choice = {}, mayLackProfile = false): Settings => {
  const dataDir = env['CAIRN_DATA_DIR'] || './data'
  const profile = chosen.profile || env['CAIRN_PROFILE'] || 'default'
  const isNamed = Boolean(chosen.profile || env['CAIRN_PROFILE'])
  const stored = findProfile(env, profile, isNamed && !mayLackProfile)
  const [addressFile, profileOrigin] = [join(dataDir, 'address'), `profile ${profile}`]
  const found = read(addressFile)?.replace(/\/+$/, '')
  const origins = [
    { urlOrigin: '--url', address: chosen.url },
    { urlOrigin: profileOrigin, address: chosen.profile && stored?.url },
    { urlOrigin: 'CAIRN_URL', address: env['CAIRN_URL'] },
    { urlOrigin: profileOrigin, address: stored?.url, isUrlFound: !isNamed },
    { urlOrigin: `the address in ${addressFile}`, address: found, isUrlFound: true },
  ]
  const origin = origins.find(({ address }) => address)
  const { urlOrigin = 'default address', address = defaultUrl, isUrlFound = false } = origin ?? {}
  const url = checkUrl(address)
  const ownKey = stored?.url === url ? { value: stored.api_key, origin: profileOrigin } : undefined
  /**
   * A folder or a profile can name any server, so a key that was found is sent only to the address beside it, and one
   * of the environment to no address that was found. Nor is it replaced by another key, which may permit more.
   */
  const findKey = (name: string, fileName: string, ofProfile?: Secret): Secret => {
    const [given, file] = [fromEnvironment(env, name), join(dataDir, fileName)]
    const value = url === found ? read(file) : undefined
    const own = ofProfile ?? (value === undefined ? undefined : { value, origin: file })
    if (given && (!isUrlFound || given.value === own?.value)) return given
    if (own && !given) return own
    const login = name === 'CAIRN_API_KEY' ? 'use cairn login, ' : ''
    throw new AppError(
      'unauthenticated',
      `No key for ${url} (${urlOrigin}): ${name} is sent only to the address in CAIRN_URL or --url, ${file} only to the one in ${addressFile}; ${login}set ${name} or ${name}_FILE with CAIRN_URL, or set CAIRN_DATA_DIR to the data directory of a running server`,
    )
  }
  const findApiKey = () => (chosen.profile && ownKey) || findKey('CAIRN_API_KEY', 'api-key', ownKey)
  return {
    ...{ stateDir: env['CAIRN_DATA_DIR'] || stateFolder(env) || dataDir },
    ...{ url, urlOrigin, isUrlFound, profile, dataDir, env, findApiKey },
    adminKey: () => findKey('CAIRN_ADMIN_KEY', 'admin-key').value,
    apiKey: () => findApiKey().value,
    edgeKey: () => fromEnvironment(env, 'CAIRN_EDGE_KEY')?.value,
  }
}

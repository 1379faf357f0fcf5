import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'

export type Environment = { readonly [name: string]: string | undefined }

export type Settings = {
  /** URL of the server, without a trailing slash. */
  readonly url: string
  /** Where the address comes from, for people: `CAIRN_URL`. */
  readonly urlOrigin: string
  /** File from which the server's address was read; undefined if the address was set explicitly or is the default. */
  readonly addressFile: string | undefined
  readonly dataDir: string
  readonly env: Environment
  /** Throws `unauthenticated` if no key is set; the message lists the ways to set it. */
  adminKey(): string
  apiKey(): string
  /** Returns the edge store's key; undefined if no key is set, because an edge store may run without a key. */
  edgeKey(): string | undefined
}

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

/**
 * Returns a secret from its variable, from the file that `<name>_FILE` names, or from the file of a single-process
 * server in its data directory.
 */
const findSecret = (env: Environment, name: string, file: string): string => {
  const value = env[name]
  const named = env[`${name}_FILE`]
  if (value && named) throw new AppError('invalid', `${name} and ${name}_FILE are both set: use one of them`)
  if (value) return value
  const found = read(named || file)
  if (found === undefined)
    throw new AppError(
      'unauthenticated',
      `No key found (${named || file} can't be read): set ${name} or ${name}_FILE, or set CAIRN_DATA_DIR to the data directory of the server`,
    )
  return found
}

/**
 * Reads the settings. `url` takes precedence over CAIRN_URL, which takes precedence over the address that a server has
 * written into its data directory. `CAIRN_DATA_DIR` defaults to `./data`, as for the server.
 */
export const readSettings = (env: Environment, url?: string): Settings => {
  const dataDir = env['CAIRN_DATA_DIR'] || './data'
  const given = url || env['CAIRN_URL']
  const addressFile = join(dataDir, 'address')
  const written = given ? undefined : read(addressFile)
  return {
    url: checkUrl(given || written || defaultUrl),
    urlOrigin: url ? '--url' : env['CAIRN_URL'] ? 'CAIRN_URL' : written ? addressFile : 'default address',
    addressFile: written === undefined ? undefined : addressFile,
    dataDir,
    env,
    adminKey: () => findSecret(env, 'CAIRN_ADMIN_KEY', join(dataDir, 'admin-key')),
    apiKey: () => findSecret(env, 'CAIRN_API_KEY', join(dataDir, 'api-key')),
    edgeKey: () =>
      env['CAIRN_EDGE_KEY'] || env['CAIRN_EDGE_KEY_FILE'] ? findSecret(env, 'CAIRN_EDGE_KEY', '') : undefined,
  }
}

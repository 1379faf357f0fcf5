import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@cairn/contracts/errors'

export type Environment = { readonly [name: string]: string | undefined }

export type Settings = {
  /** Without a slash at its end. */
  readonly url: string
  readonly dataDir: string
  readonly env: Environment
  /** Throws `unauthenticated` where there is none, saying where it is looked for. */
  adminKey(): string
  apiKey(): string
  /** Undefined where none is set: an edge store need not have one. */
  edgeKey(): string | undefined
}

const defaultUrl = 'http://localhost:3000'

export const checkUrl = (given: string): string => {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new AppError('invalid', `The address of the server must begin with http:// or https://, not ${given}`)
  // A key in the address would end up in logs; this API takes it in a header only.
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

/** A secret by its variable, by the file `<name>_FILE` names, or by the file a server in one process keeps in its data directory. */
const findSecret = (env: Environment, name: string, file: string): string => {
  const value = env[name]
  const named = env[`${name}_FILE`]
  if (value && named) throw new AppError('invalid', `${name} is set, and ${name}_FILE as well`)
  if (value) return value
  const found = read(named || file)
  if (found === undefined)
    throw new AppError(
      'unauthenticated',
      `There is no key: set ${name} or ${name}_FILE, or let CAIRN_DATA_DIR name the directory with the file ${named ? `(${named} can't be read)` : `(${file} is not there)`}`,
    )
  return found
}

/** `url` wins over CAIRN_URL, and `CAIRN_DATA_DIR` is `./data` by default, as it is for the server. */
export const readSettings = (env: Environment, url?: string): Settings => {
  const dataDir = env['CAIRN_DATA_DIR'] || './data'
  return {
    url: checkUrl(url || env['CAIRN_URL'] || defaultUrl),
    dataDir,
    env,
    adminKey: () => findSecret(env, 'CAIRN_ADMIN_KEY', join(dataDir, 'admin-key')),
    apiKey: () => findSecret(env, 'CAIRN_API_KEY', join(dataDir, 'api-key')),
    edgeKey: () => (env['CAIRN_EDGE_KEY'] || env['CAIRN_EDGE_KEY_FILE'] ? findSecret(env, 'CAIRN_EDGE_KEY', '') : undefined),
  }
}

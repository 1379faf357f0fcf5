import { randomInt } from 'node:crypto'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { AppError } from '@cairn/contracts/errors'
import { damageOf, storeDamage } from '@cairn/domain/ports/store-damage'
import { deriveKey } from '@cairn/runtime/process/derive-key'
import type { CheckResult } from '@cairn/runtime/process/health'
import type { DataDirectory } from './data-directory.ts'

const orRebuild = 'If that is not possible, run `npm start -- rebuild`'
/** By path in the data directory; `otherwise`: what helps where the former file can't be put back. */
const stores = {
  'metadata.db': { holds: 'accounts, keys, namespaces, documents and the text of files', otherwise: '' },
  'vectors.db': { holds: 'the search index', otherwise: `${orRebuild}, which makes it from metadata.db.` },
  'files/index.db': {
    holds: 'the list of uploaded files',
    otherwise: `${orRebuild}, which makes it from metadata.db and files/content.`,
  },
  'files/content': {
    holds: 'the bytes of uploaded files',
    otherwise: `${orRebuild}: the text of the files stays, and is found.`,
  },
  secret: {
    holds: 'the secret under which API keys are stored',
    otherwise:
      'If that is not possible, remove the file `installation` and set CAIRN_SECRET; every API key is then invalid.',
  },
} as const
export type StoreName = keyof typeof stores

const databases = ['metadata.db', 'vectors.db', 'files/index.db'] as const
const storeOfPort = new Map<string, StoreName>([
  ['metadata', 'metadata.db'],
  ['vectors', 'vectors.db'],
  ['files', 'files/index.db'],
])
const damaged = 'is damaged'
const foreign = 'belongs to another installation'
const isMadeAgain = (name: StoreName): boolean => name === 'vectors.db' || name === 'files/index.db'
const explain = (name: StoreName, what: string): string => {
  const { holds, otherwise } = stores[name]
  const restore =
    what === foreign
      ? 'put the file of this installation in its place.'
      : 'mount the volume or restore the data directory from a copy.'
  const remedy =
    what === damaged && isMadeAgain(name)
      ? 'Restart the server: it keeps the file under another name and makes a new one.'
      : `Stop the server, and ${restore} ${otherwise}`
  return `${name} ${what}. It holds ${holds}. ${remedy}`.trim()
}
/** `tag`: number of the installation. */
const headerFault = (header: { readonly tag: number } | undefined, tag: number): string | undefined => {
  if (!header) return damaged
  return header.tag === tag ? undefined : foreign
}
const markOf = (name: StoreName): string => `${name}.lost`

/** Differs for each secret and does not reveal it. */
const checkOf = (secret: string): string => deriveKey(secret, 'installation').toString('base64url').slice(0, 16)
const isEmptyFolder = (path: string): boolean => !existsSync(path) || readdirSync(path).length === 0

/** With ways to look at its databases. */
type Data = Pick<DataDirectory, 'at'> & {
  readonly headerOf: (file: string) => { readonly tag: number } | undefined
  /** `handle`: of an open file. */
  readonly headerIn: (handle: number) => { readonly tag: number } | undefined
  readonly isSound: (file: string) => boolean
  readonly hasRows: (file: string, table: string) => boolean
}

/** Throws if the secret, in the file `secret` unless it is `configured`, is lost or another one. */
export const checkSecret = ({ at, hasRows }: Pick<Data, 'at' | 'hasRows'>, configured: string | undefined): void => {
  const stop = (what: string) => new AppError('conflict', `Data directory ${at('')}: ${explain('secret', what)}`)
  const secret = configured ?? (existsSync(at('secret')) ? readFileSync(at('secret'), 'utf8').trim() : undefined)
  if (secret === undefined && hasRows(at('metadata.db'), 'accounts')) throw stop('is missing')
  const check = existsSync(at('installation')) && readFileSync(at('installation'), 'utf8').trim()
  if (secret !== undefined && check && check !== checkOf(secret)) throw stop('is not the one of this installation')
}

/**
 * Marks durably, before the store's file is touched, that a store is made again; returns the path under which the file
 * is kept. The store counts as lost until the mark is removed, whenever the process ends, and keeps that path.
 */
export const markStore = ({ at }: Pick<Data, 'at'>, name: StoreName): string => {
  const mark = at(markOf(name))
  const marked = existsSync(mark) && readFileSync(mark, 'utf8')
  if (marked) return at(marked)
  const kept = `${name}.set-aside-${new Date().toISOString().replaceAll(':', '-')}`
  writeFileSync(mark, kept, { mode: 0o600, flush: true })
  return at(kept)
}
/** Called when the store was made again. */
export const unmarkStore = ({ at }: Pick<Data, 'at'>, name: StoreName): void => rmSync(at(markOf(name)))

/**
 * Checks the stores before anything opens them. AppError `conflict`, with the store, its content and the remedy, if one
 * is missing, or damaged and not to be made from others. Returns the damaged and marked ones with what is wrong, and
 * the installation's number. `mayRebuild`: a missing or foreign vectors.db or files/index.db is made again, too. All
 * pages are read only with `mayRebuild`, or after a process that did not end in order.
 */
export const checkStores = (
  { at, headerOf, isSound, hasRows }: Omit<Data, 'headerIn'>,
  { mayRebuild = false } = {},
) => {
  const exists = (name: string) => existsSync(at(name))
  const headerIn = (name: StoreName) => (exists(name) ? headerOf(at(name)) : undefined)
  // A new directory has no number, one of an earlier version neither.
  const own = headerIn('metadata.db')?.tag ?? 0
  const isBound = own > 0 || exists('installation')
  const lost = new Map<StoreName, string>()
  const faultOf = (name: (typeof databases)[number]): string | undefined => {
    if (exists(markOf(name))) return 'was not made again completely'
    if (!exists(name)) return isBound || (name === 'metadata.db' && databases.some(exists)) ? 'is missing' : undefined
    const header = headerIn(name)
    const fault = isBound && header?.tag !== 0 ? headerFault(header, own) : undefined
    return fault ?? ((mayRebuild || exists('unclean')) && !isSound(at(name)) ? damaged : undefined)
  }
  const add = (name: StoreName, fault: string | undefined) => {
    if (!fault) return
    const from = name === 'files/content' ? 'files/index.db' : name
    if (!isMadeAgain(from) || !(mayRebuild || fault === damaged || exists(markOf(from))))
      throw new AppError('conflict', `Data directory ${at('')}: ${explain(name, fault)}`)
    lost.set(from, fault)
  }
  for (const name of databases) add(name, faultOf(name))
  const lacksContent = !lost.has('files/index.db') && isEmptyFolder(at('files/content'))
  if (lacksContent && hasRows(at('files/index.db'), 'objects')) add('files/content', 'is empty or missing')
  return { tag: own || randomInt(1, 2 ** 31), lost }
}

/**
 * Watches the stores from when all exist. `seen` takes errors of the ports. `check`, once a minute and for readiness,
 * looks only at headers, numbers and identities of files. While a store is damaged, `admit` throws AppError
 * `unavailable`: what can't be kept must not be accepted. Close it after the stores: closing a file releases SQLite's
 * locks on it.
 */
export const watchStores = ({ at, headerIn }: Pick<Data, 'at' | 'headerIn'>, tag: number, secret: string) => {
  const identityOf = (name: StoreName): string => {
    const { dev, ino } = statSync(at(name))
    return `${dev} ${ino}`
  }
  const identities = new Map(databases.map((name) => [name as StoreName, identityOf(name)]))
  const handles = new Map(databases.map((name) => [name as StoreName, openSync(at(name), 'r')]))
  const isSecret = () => existsSync(at('secret')) && readFileSync(at('secret'), 'utf8').trim() === secret
  const secretFile = isSecret() ? (['secret'] as const) : []
  /** `mayPass`: the next check decides again. */
  const faults = new Map<StoreName, { readonly what: string; readonly mayPass: boolean }>()
  const faultOf = (name: StoreName): string | undefined => {
    if (name === 'files/content') return isEmptyFolder(at(name)) ? 'is empty or missing' : undefined
    if (!existsSync(at(name))) return 'is missing'
    if (name === 'secret') return isSecret() ? undefined : 'was replaced'
    const handle = handles.get(name)
    if (handle === undefined || identityOf(name) !== identities.get(name)) return 'was replaced'
    return headerFault(headerIn(handle), tag)
  }
  /** An error of the disk, or of a file that is being removed, is damage: the next check decides again. */
  const look = (name: StoreName): string | undefined => {
    try {
      return faultOf(name)
    } catch {
      return damaged
    }
  }
  const check = (): CheckResult => {
    for (const name of [...databases, 'files/content', ...secretFile] as const) {
      const what = look(name)
      if (what) faults.set(name, { what, mayPass: true })
      else if (faults.get(name)?.mayPass) faults.delete(name)
    }
    if (faults.size === 0) return { ok: true }
    return { ok: false, detail: [...faults].map(([name, { what }]) => explain(name, what)).join(' ') }
  }
  return {
    check,
    /** Called when all stores exist and are in use. */
    begin: (): void => {
      writeFileSync(at('installation'), `${checkOf(secret)}\n`, { mode: 0o600 })
      writeFileSync(at('unclean'), '', { mode: 0o600 })
    },
    seen: (port: string, error: unknown): void => {
      const [name, damage] = [storeOfPort.get(port), damageOf(error)]
      if (name && damage) faults.set(name, { what: damaged, mayPass: damage === storeDamage.disk })
    },
    admit: (): void => {
      for (const [name, { what }] of faults)
        throw new AppError('unavailable', `Nothing is stored: ${name} ${what}.`, { retryAfterSeconds: 60 })
    },
    /** Marks an orderly end, unless there was damage: then the next start reads all pages. */
    close: async (): Promise<void> => {
      if (check().ok) rmSync(at('unclean'), { force: true })
      for (const handle of handles.values()) closeSync(handle)
      handles.clear()
    },
  }
}

export type StoreWatch = ReturnType<typeof watchStores>

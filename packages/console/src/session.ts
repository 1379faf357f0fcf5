import type { Admin } from '@cairn/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Api, exchangeCode } from './api.ts'

/**
 * Poll interval where no change is expected soon, in milliseconds; long, because each poll counts as a request of the
 * account.
 */
export const idleMs = 15_000

const storageKey = 'cairn.api-key'

/** How long the API key is kept: as long as the tab, or until the user signs out on this device. */
export type Keep = 'tab' | 'device'

/** Returns the stored API key. */
export const keptKey = (): string | null => sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey)
export const keptFor = (): Keep => (localStorage.getItem(storageKey) === null ? 'tab' : 'device')
export const forgetKey = (): void => {
  sessionStorage.removeItem(storageKey)
  localStorage.removeItem(storageKey)
}
export const keepKey = (apiKey: string, keep: Keep): void => {
  forgetKey()
  const storage = keep === 'device' ? localStorage : sessionStorage
  storage.setItem(storageKey, apiKey)
}

/** Calls `onForget` when another tab signs out of a key that was kept on this device. */
export const onSignOutElsewhere = (onForget: () => void): (() => void) => {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === storageKey && newValue === null && keptKey() === null) onForget()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

const codePattern = /^#code=([\w-]+)$/
export const hasCode = (): boolean => codePattern.test(location.hash)

/**
 * If the URL has a code, exchanges it for an API key and stores the key. First removes the code from the URL and the
 * history.
 */
export const signInByCode = async (): Promise<undefined> => {
  const code = codePattern.exec(location.hash)?.[1]
  if (code === undefined) return
  history.replaceState(null, '', '/')
  keepKey(await exchangeCode(code), keptFor())
}

/** An account that an operator looks at with a key of its own, which can only read and expires. */
export type Visit = { readonly name: string; readonly keyId: string; readonly apiKey: string }

export type Session = {
  readonly apiKey: string
  readonly api: Api
  /** Undefined until the admin key was entered. The key is held only in memory. */
  readonly admin: Admin | undefined
  /** The account of another owner that is looked at; held only in memory. */
  readonly visit: Visit | undefined
  setAdminKey(adminKey: string | undefined): void
  setVisit(visit: Visit | undefined): void
  signOut(): void
}

export const SessionContext = createContext<Session | undefined>(undefined)

export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('no session')
  return session
}
/** Returns whether content can be changed: not in the account of another owner, which is looked at. */
export const useCanWrite = (): boolean => useContext(SessionContext)?.visit === undefined
export const useApi = (): Api => useSession().api
/** Returns the admin client. Only for components inside AdminGate. */
export const useAdmin = (): Admin => {
  const { admin } = useSession()
  if (!admin) throw new Error('no admin key')
  return admin
}

import type { Admin } from '@cairn/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Api, exchangeCode } from './api.ts'

/** Poll interval where no change is expected, in milliseconds; each poll counts as a request of the account. */
export const idleMs = 15_000

const storageKey = 'cairn.api-key'

/** As long as the tab, or until the user signs out on this device. */
export type Keep = 'tab' | 'device'

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

export const onSignOutElsewhere = (onForget: () => void): (() => void) => {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === storageKey && newValue === null && keptKey() === null) onForget()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

const codePattern = /^#code=([\w-]+)$/
export const hasCode = (): boolean => codePattern.test(location.hash)

/** Exchanges a code in the URL for an API key and stores it; first removes the code from URL and history. */
export const signInByCode = async (): Promise<undefined> => {
  const code = codePattern.exec(location.hash)?.[1]
  if (code === undefined) return
  history.replaceState(null, '', '/')
  keepKey(await exchangeCode(code), keptFor())
}

/** An account that an operator looks at with a read-only key that expires. */
export type Visit = { readonly name: string; readonly keyId: string; readonly apiKey: string }

export type Session = {
  readonly apiKey: string
  readonly api: Api
  /** Held only in memory; undefined until the admin key was entered. */
  readonly admin: Admin | undefined
  /** Held only in memory. */
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
export const useCanWrite = (): boolean => useContext(SessionContext)?.visit === undefined
export const useApi = (): Api => useSession().api
/** Works only inside AdminGate. */
export const useAdmin = (): Admin => {
  const { admin } = useSession()
  if (!admin) throw new Error('no admin key')
  return admin
}

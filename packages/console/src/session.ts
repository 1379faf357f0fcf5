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

/** Returns the stored API key, which is kept as long as the tab. */
export const keptKey = (): string | null => sessionStorage.getItem(storageKey)
export const keepKey = (apiKey: string): void => sessionStorage.setItem(storageKey, apiKey)
export const forgetKey = (): void => sessionStorage.removeItem(storageKey)

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
  keepKey(await exchangeCode(code))
}

export type Session = {
  readonly apiKey: string
  readonly api: Api
  /** Undefined until the admin key was entered. The key is held only in memory. */
  readonly admin: Admin | undefined
  setAdminKey(adminKey: string | undefined): void
  signOut(): void
}

export const SessionContext = createContext<Session | undefined>(undefined)

export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (!session) throw new Error('no session')
  return session
}
export const useApi = (): Api => useSession().api
/** Returns the admin client. Only for components inside AdminGate. */
export const useAdmin = (): Admin => {
  const { admin } = useSession()
  if (!admin) throw new Error('no admin key')
  return admin
}

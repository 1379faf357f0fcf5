import type { Admin } from '@cairn/client'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Api, exchangeCode } from './api.ts'

/** Each poll is a request of the account: where nothing is expected to change soon, they are rare. */
export const idleMs = 15_000

const storageKey = 'cairn.api-key'

/** The key lives as long as the tab. */
export const keptKey = (): string | null => sessionStorage.getItem(storageKey)
export const keepKey = (apiKey: string): void => sessionStorage.setItem(storageKey, apiKey)
export const forgetKey = (): void => sessionStorage.removeItem(storageKey)

const codePattern = /^#code=([\w-]+)$/
export const hasCode = (): boolean => codePattern.test(location.hash)

/** Keeps the key for the code in the address, if it has one, which is taken out of the address and the history first. */
export const signInByCode = async (): Promise<undefined> => {
  const code = codePattern.exec(location.hash)?.[1]
  if (code === undefined) return
  history.replaceState(null, '', '/')
  keepKey(await exchangeCode(code))
}

export type Session = {
  readonly apiKey: string
  readonly api: Api
  /** Undefined until the admin key was entered. It is held in memory only. */
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
/** Returns what the operator may do, to components inside AdminGate. */
export const useAdmin = (): Admin => {
  const { admin } = useSession()
  if (!admin) throw new Error('no admin key')
  return admin
}

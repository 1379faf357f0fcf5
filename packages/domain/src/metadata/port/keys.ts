import type { ApiKey, KeyState } from '../records.ts'

export interface KeyStore {
  /** AppError `conflict` when the id exists. */
  insert(key: ApiKey): Promise<void>
  get(id: string): Promise<ApiKey | undefined>
  ofAccount(accountId: string): Promise<ApiKey[]>
  setState(id: string, state: KeyState): Promise<ApiKey | undefined>
  used(id: string, at: number): Promise<void>
}

import { AppError } from '@cairn/contracts/errors'
import { mustInsert } from '../protocol/must-insert.ts'
import { find, getOne, insertOne, type Protocol, read, updateIf, updateOne } from '../protocol/steps.ts'
import type { ApiKey, KeyState } from './record.ts'

export const keys = {
  /** Throws AppError `conflict` when the id exists. */
  *insert(key: ApiKey): Protocol<void> {
    yield* mustInsert(insertOne('keys: insert', 'apiKeys', key), 'A key')
  },
  get: read((id: string) => getOne('keys: get', 'apiKeys', id)),
  ofAccount: read((accountId: string) => find('keys: of account', 'apiKeys', { accountId }, ['id'], 1_000)),
  *setState(id: string, state: KeyState): Protocol<ApiKey | undefined> {
    // A revoked key stays revoked: its holder must never be admitted again.
    const set = yield* updateOne('keys: set state', 'apiKeys', [id], { state: { ne: 'revoked' } }, { set: { state } })
    if (set) return set
    const key = yield* getOne('keys: read', 'apiKeys', id)
    if (key && state !== 'revoked')
      throw new AppError('conflict', 'A revoked key cannot be enabled again; create a new one.')
    return key
  },
  *used(id: string, at: number): Protocol<void> {
    yield* updateIf('keys: used', 'apiKeys', [id], {}, { set: { lastUsedAt: at } })
  },
}

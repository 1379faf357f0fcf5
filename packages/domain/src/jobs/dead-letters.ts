import { mustInsert } from '../protocol/must-insert.ts'
import type { Page } from '../protocol/page.ts'
import { find, getOne, guarded, insertOne, type Protocol, read, removeAll, updateIf } from '../protocol/steps.ts'
import type { DeadLetter } from './record.ts'

export const deadLetters = {
  *insert(letter: DeadLetter): Protocol<void> {
    yield* mustInsert(insertOne('dead letters: insert', 'deadLetters', letter), 'A dead letter')
  },
  page: read(({ after = '', limit }: Page) =>
    find('dead letters: page', 'deadLetters', { id: { gt: after } }, ['id'], limit),
  ),
  get: read((id: string) => getOne('dead letters: get', 'deadLetters', id)),
  *replayed(id: string, at: number): Protocol<void> {
    yield* updateIf('dead letters: replayed', 'deadLetters', [id], {}, { set: { replayedAt: at } })
  },
  /**
   * Removes up to `limit` dead letters from before this wall time; returns the number removed. Reads the first `limit`
   * by id; ids begin with the creation time.
   */
  *prune(before: number, limit: number): Protocol<number> {
    const first = yield* guarded(
      find('dead letters: find old', 'deadLetters', { id: { gt: '' } }, ['id'], limit, ['id', 'at']),
    )
    const old = first.filter(({ at }) => at < before)
    return yield* removeAll(
      'dead letters: prune',
      'deadLetters',
      old.map(({ id }) => [id]),
    )
  },
}

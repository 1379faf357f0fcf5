import { find, type Protocol } from '../protocol/steps.ts'

const chunkId = /^(.+)_(chunk|summary)_(0|[1-9]\d{0,8})$/su

/** Groups the ids that have the form of chunks' or summaries' ids by prefix. */
export const chunkIdsIn = (ids: readonly string[]) =>
  Map.groupBy(
    ids.flatMap((id) => {
      const [, base = '', kind, digits] = chunkId.exec(id) ?? []
      return kind === undefined ? [] : [{ id, base, kind, number: Number(digits) }]
    }),
    ({ base }) => base,
  )

/** Ids of chunks and summaries of files that are published, or being processed and not numbered yet. */
export function* idsOfFiles(namespaceId: string, ids: readonly string[]): Protocol<string[]> {
  const taken: string[] = []
  for (const [base, some] of chunkIdsIn(ids)) {
    const [file] = yield* find('accept: look for files', 'files', { namespaceId, idBase: base }, ['id'], 1, [
      'live',
      'outcome',
      'version',
    ])
    if (!file) continue
    const isReading = file.outcome === null
    for (const { id, kind, number } of some) {
      const numbers = (kind === 'chunk' ? file.live?.chunks : file.live?.summaries) ?? 0
      if (isReading || number < numbers) taken.push(id)
    }
  }
  return taken
}

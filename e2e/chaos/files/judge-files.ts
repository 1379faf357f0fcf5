import type { Stores } from '../open-stores.ts'
import type { Fate } from './file-load.ts'

/**
 * Returns the allowed outcomes of a file (`completed` or failure reasons), given its content and the account's quota.
 */
const expected = ({ last, file }: Fate, smallAccount: number): readonly string[] => {
  const { is } = last?.content ?? {}
  if (is === 'empty') return ['empty_file']
  if (is === 'damaged') return ['damaged']
  return file.account === smallAccount ? ['completed', 'quota_exceeded'] : ['completed']
}

const judge = async (
  { store }: Stores,
  fate: Fate,
  smallAccount: number,
): Promise<{ readonly end: string; readonly faults: string[] }> => {
  const { file, place, last } = fate
  const { name } = file
  const record = await store.files.byName(place.namespaceId, name)
  if (!last) return { end: 'deleted', faults: record ? [`I5: ${name} was deleted and has a record`] : [] }
  if (!record) return { end: 'lost', faults: [`I8: ${name} has no record`] }
  const status = await place.client.status(name)
  const end = status.reason ?? status.state
  const faults: string[] = []
  if (!expected(fate, smallAccount).includes(end)) faults.push(`I8: ${name} ended as ${end} (${status.message ?? ''})`)
  if (status.size !== last.brought.bytes.length)
    faults.push(`I8: ${name} has ${status.size} bytes, ${last.brought.bytes.length} were sent`)
  const { sentence } = last.brought
  if (status.state !== 'completed' || sentence === undefined) return { end, faults }
  const ids = await place.client.find(sentence, name)
  if (!ids.some((id) => id.includes('_chunk_')))
    faults.push(`I2: ${name} is completed, but search does not find "${sentence}"`)
  return { end, faults }
}

/**
 * Compares the expected fate of each file with the metadata and the API's responses. `ends` counts files by failure
 * reason or final state.
 */
export const judgeFiles = async (
  stores: Stores,
  fates: readonly Fate[],
  smallAccount: number,
): Promise<{ readonly ends: Readonly<Record<string, number>>; readonly faults: readonly string[] }> => {
  const ends: Record<string, number> = {}
  const faults: string[] = []
  for (const fate of fates) {
    const judged = await judge(stores, fate, smallAccount)
    ends[judged.end] = (ends[judged.end] ?? 0) + 1
    faults.push(...judged.faults)
  }
  for (const [place, own] of Map.groupBy(fates, ({ place }) => place)) {
    const wanted = own.flatMap(({ file, last }) => (last ? [file.name] : [])).toSorted()
    const listed = (await place.client.list()).map(({ file_name }) => file_name).toSorted()
    if (JSON.stringify(listed) !== JSON.stringify(wanted))
      faults.push(
        `I8: listed are ${listed.length} files, brought were ${wanted.length}; only listed: ${listed.filter((name) => !wanted.includes(name)).join(', ')}; not listed: ${wanted.filter((name) => !listed.includes(name)).join(', ')}`,
      )
  }
  return { ends, faults }
}

import { getOne, insertOne, type Protocol, read, updateIf } from '../protocol/steps.ts'
import type { ModelProbe } from './record.ts'

/** There is one result for each model identity. */
export const modelProbes = {
  get: read((id: string) => getOne('model probes: get', 'modelProbes', id)),
  /** Replaces an earlier one. */
  *record(probe: ModelProbe): Protocol<void> {
    if (yield* insertOne('model probes: insert', 'modelProbes', probe)) return
    const { id, ...set } = probe
    yield* updateIf('model probes: update', 'modelProbes', [id], {}, { set })
  },
}

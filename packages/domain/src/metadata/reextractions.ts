import type { ProtocolOf } from './jobs.ts'
import type { NamespaceStore } from './port.ts'
import { find, read, updateOne } from './steps.ts'

export const reextractions: ProtocolOf<
  Pick<NamespaceStore, 'reextracting' | 'beginReextraction' | 'changeReextraction'>
> = {
  reextracting: read(function* ({ after = '', limit }) {
    const where = { reextractionId: { gt: after } }
    return yield* find('namespaces: reextracting', 'namespaces', where, ['reextractionId'], limit)
  }),
  *beginReextraction(id, reextraction) {
    const begun = yield* updateOne(
      'namespaces: begin reextraction',
      'namespaces',
      [id],
      { state: 'active', reextractionId: null },
      { set: { reextraction, reextractionId: reextraction.id } },
      ['id'],
    )
    return begun !== undefined
  },
  *changeReextraction(id, reextraction) {
    const changed = yield* updateOne(
      'namespaces: change reextraction',
      'namespaces',
      [id],
      { reextractionId: reextraction.id },
      { set: { reextraction, reextractionId: reextraction.endedAt === null ? reextraction.id : null } },
      ['id'],
    )
    return changed !== undefined
  },
}

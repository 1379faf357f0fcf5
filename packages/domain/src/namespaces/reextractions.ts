import type { Page } from '../protocol/page.ts'
import { find, type ReadProtocol, read, updateIf } from '../protocol/steps.ts'
import type { Namespace, Reextraction } from './record.ts'

export const reextractions = {
  /** Namespaces by the id of their running re-extraction; `after` is such an id. Some may be being deleted. */
  reextracting: read(function* ({ after = '', limit }: Page): ReadProtocol<Namespace[]> {
    const where = { reextractionId: { gt: after } }
    return yield* find('namespaces: reextracting', 'namespaces', where, ['reextractionId'], limit)
  }),
  /** Returns false while one is running. */
  beginReextraction: (id: string, reextraction: Reextraction) =>
    updateIf(
      'namespaces: begin reextraction',
      'namespaces',
      [id],
      { state: 'active', reextractionId: null },
      { set: { reextraction, reextractionId: reextraction.id } },
    ),
  /** Returns false when none with this id is running; `endedAt` ends it. */
  changeReextraction: (id: string, reextraction: Reextraction) =>
    updateIf(
      'namespaces: change reextraction',
      'namespaces',
      [id],
      { reextractionId: reextraction.id },
      { set: { reextraction, reextractionId: reextraction.endedAt === null ? reextraction.id : null } },
    ),
}

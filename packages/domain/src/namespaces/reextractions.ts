import type { Page } from '../protocol/page.ts'
import { find, type ReadProtocol, read, updateIf } from '../protocol/steps.ts'
import type { Namespace, Reextraction } from './record.ts'

export const reextractions = {
  /**
   * Returns namespaces with a running re-extraction, by the re-extraction's id; `after` is such an id. Some namespaces
   * may be being deleted.
   */
  reextracting: read(function* ({ after = '', limit }: Page): ReadProtocol<Namespace[]> {
    const where = { reextractionId: { gt: after } }
    return yield* find('namespaces: reextracting', 'namespaces', where, ['reextractionId'], limit)
  }),
  /** Begins a re-extraction of an active namespace. Returns false while one is running. */
  beginReextraction: (id: string, reextraction: Reextraction) =>
    updateIf(
      'namespaces: begin reextraction',
      'namespaces',
      [id],
      { state: 'active', reextractionId: null },
      { set: { reextraction, reextractionId: reextraction.id } },
    ),
  /**
   * Replaces the running re-extraction of this id, and ends it if `endedAt` is set. Returns false when no re-extraction
   * with this id is running.
   */
  changeReextraction: (id: string, reextraction: Reextraction) =>
    updateIf(
      'namespaces: change reextraction',
      'namespaces',
      [id],
      { reextractionId: reextraction.id },
      { set: { reextraction, reextractionId: reextraction.endedAt === null ? reextraction.id : null } },
    ),
}

import { compareText } from '@cairn/domain/items/documents'
import type { PointAddress } from '@cairn/domain/ports/vector-index'

/** The port's order: namespace id, item id, version (each by UTF-8 bytes), passage. */
export const compareAddresses = (a: PointAddress, b: PointAddress): number =>
  compareText(a.namespaceId, b.namespaceId) ||
  compareText(a.itemId, b.itemId) ||
  compareText(a.version, b.version) ||
  a.passage - b.passage

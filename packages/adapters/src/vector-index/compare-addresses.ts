import type { PointAddress } from '@cairn/domain/ports/vector-index'
import { compareUtf8 } from './vector-math.ts'

/** Compares in the order of the port: namespace id, item id, version (each by UTF-8 bytes), passage. */
export const compareAddresses = (a: PointAddress, b: PointAddress): number =>
  compareUtf8(a.namespaceId, b.namespaceId) ||
  compareUtf8(a.itemId, b.itemId) ||
  compareUtf8(a.version, b.version) ||
  a.passage - b.passage

import { filterTooCostly } from '@cairn/contracts/api/failures'
import { type Filter, operandsOf } from '@cairn/contracts/documents/metadata-filter'
import { limits } from '@cairn/contracts/limits'

type Compared = {
  readonly filter?: Filter | undefined
  /** Filters in the query text. */
  readonly terms?: readonly unknown[]
  readonly words?: readonly unknown[]
}

const comparisonsOf = ({ filter, terms = [], words = [] }: Compared): number =>
  terms.length + words.length + (filter ? operandsOf(filter) : 0)

/** Returns compared values times namespaces. AppError `tooBroad`, before any read, above a request's limit. */
export const requireAffordable = (compared: Compared, namespaces: number): number => {
  const values = comparisonsOf(compared)
  if (values * namespaces > limits.filterComparisons) throw filterTooCostly(values, namespaces)
  return values * namespaces
}

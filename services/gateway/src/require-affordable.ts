import { filterTooCostly } from '@cairn/contracts/failures'
import { limits } from '@cairn/contracts/limits'
import { type Filter, operandsOf } from '@cairn/contracts/metadata-filter'

type Compared = {
  readonly filter?: Filter | undefined
  /** Filters at the end of a query. */
  readonly terms?: readonly unknown[]
  readonly words?: readonly unknown[]
}

/** Returns the number of values that filters compare in each namespace. */
export const comparisonsOf = ({ filter, terms = [], words = [] }: Compared): number =>
  terms.length + words.length + (filter ? operandsOf(filter) : 0)

/** AppError `tooBroad` for filters that compare more values than one request may, before anything is read. */
export const requireAffordable = (compared: Compared, namespaces: number): void => {
  const values = comparisonsOf(compared)
  if (values * namespaces > limits.filterComparisons) throw filterTooCostly(values, namespaces)
}

import { withChange } from '@cairn/domain/items/documents'
import type { Change } from '@cairn/domain/ports/store'
import { type Fields, type Filter, isPlain } from './mongodb-documents.ts'

const at = (document: Fields, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, part) => (isPlain(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      document,
    )

/** Shortest parent path whose value is not an object; undefined if all are objects or missing. */
const above = (document: Fields, path: string): string | undefined => {
  const parts = path.split('.')
  for (let depth = 1; depth < parts.length; depth += 1) {
    const parent = parts.slice(0, depth).join('.')
    const value = at(document, parent)
    if (value !== undefined && !isPlain(value)) return parent
  }
  return undefined
}

/**
 * MongoDB rejects setting a field of null, incrementing a value that is not a number and pushing onto one that is not
 * an array; the protocol's changes replace such values. So each is replaced as a whole, on the condition that it is
 * unchanged. Undefined if nothing blocks the change. `stored` is the encoded form of `document`.
 */
export const aroundObstacles = (
  document: object,
  stored: Fields,
  change: Change,
): { readonly change: Change; readonly unchanged: Filter } | undefined => {
  const fields = document as Fields
  const isThere = (path: string) => at(fields, path) !== undefined
  const obstacles = new Set<string>()
  for (const path of [
    ...Object.keys(change.set ?? {}),
    ...Object.keys(change.inc ?? {}),
    ...Object.keys(change.max ?? {}),
    ...Object.keys(change.push ?? {}),
  ]) {
    const parent = above(fields, path)
    if (parent !== undefined) obstacles.add(parent)
  }
  for (const path of Object.keys({ ...change.inc, ...change.max }))
    if (isThere(path) && typeof at(fields, path) !== 'number') obstacles.add(path)
  for (const path of [...Object.keys(change.push ?? {}), ...Object.keys(change.pull ?? {})])
    if (isThere(path) && !Array.isArray(at(fields, path))) obstacles.add(path)
  if (obstacles.size === 0) return undefined

  const next = withChange(fields, change)
  const isClear = (path: string) =>
    ![...obstacles].some((obstacle) => path === obstacle || path.startsWith(`${obstacle}.`))
  const clear = <V>(part: { readonly [path: string]: V } = {}) =>
    Object.fromEntries(Object.entries(part).filter(([path]) => isClear(path)))
  return {
    change: {
      set: { ...clear(change.set), ...Object.fromEntries([...obstacles].map((path) => [path, at(next, path)])) },
      unset: (change.unset ?? []).filter(isClear),
      inc: clear(change.inc),
      max: clear(change.max),
      push: clear(change.push),
      pull: clear(change.pull),
    },
    unchanged: Object.fromEntries([...obstacles].map((path) => [path, { $eq: at(stored, path) }])),
  }
}

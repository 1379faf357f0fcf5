import type { Change, Condition, Where } from '../ports/store.ts'

type Plain = Record<string, unknown>

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)

const at = (document: object, path: string): unknown => {
  let value: unknown = document
  // Own fields only: a token named like a member of every object (`constructor`) would seem to exist.
  for (const part of path.includes('.') ? path.split('.') : [path])
    value = isPlain(value) && Object.hasOwn(value, part) ? value[part] : undefined
  return value ?? null
}

/** Copies only these fields: an engine may return more than requested, and bodies are long. */
export const onlyFields =
  <F extends string>(fields: readonly F[]) =>
  <D extends { readonly [field in F]?: unknown }>(document: D): Pick<D, F> =>
    Object.fromEntries(
      fields.flatMap((field) => (document[field] === undefined ? [] : [[field, document[field]]])),
    ) as Pick<D, F>

/** Surrogates sort after U+FFFF, so that the order is that of code points. */
const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit)

/** Compares by code point, which is the order of UTF-8 bytes and of the engines; `<` compares UTF-16 units. */
export const compareText = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

const compare = (a: unknown, b: number | string): number | undefined => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  return undefined
}

const holds = (value: unknown, condition: Condition): boolean => {
  if (typeof condition !== 'object' || condition === null) return value === condition
  if (condition.ne !== undefined && value === condition.ne) return false
  if (condition.lte !== undefined && !((compare(value, condition.lte) ?? 1) <= 0)) return false
  if (condition.lt !== undefined && !((compare(value, condition.lt) ?? 1) < 0)) return false
  return condition.gt === undefined || (compare(value, condition.gt) ?? -1) > 0
}

/** Defines what a {@link Where} means in every engine. */
export const matches = (document: object, where: Where): boolean =>
  Object.entries(where).every(([path, condition]) => holds(at(document, path), condition))

const put = (object: Plain, name: string, value: unknown): void => {
  if (value === undefined) delete object[name]
  // `__proto__` is a setter on every object.
  else if (name === '__proto__')
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  else object[name] = value
}

/** Returns a changed copy. A path creates objects, also in place of null; removing a missing field does nothing. */
export const withChange = <D extends object>(document: D, change: Change): D => {
  const next = { ...document } as Plain
  const own = new Set<Plain>([next])
  const apply = (path: string, to: (old: unknown) => unknown, makesWay = true) => {
    const parts = path.split('.')
    const last = parts.pop() as string
    let parent = next
    for (const part of parts) {
      const child = parent[part]
      if (!isPlain(child) && !makesWay) return
      if (isPlain(child) && own.has(child)) parent = child
      else {
        const copy: Plain = isPlain(child) ? { ...child } : {}
        own.add(copy)
        put(parent, part, copy)
        parent = copy
      }
    }
    put(parent, last, to(parent[last]))
  }
  for (const [path, value] of Object.entries(change.set ?? {})) apply(path, () => value, value !== undefined)
  for (const path of change.unset ?? []) apply(path, () => undefined, false)
  for (const [path, by] of Object.entries(change.inc ?? {}))
    apply(path, (old) => (typeof old === 'number' ? old : 0) + by)
  for (const [path, floor] of Object.entries(change.max ?? {}))
    apply(path, (old) => (typeof old === 'number' ? Math.max(old, floor) : floor))
  for (const [path, values] of Object.entries(change.push ?? {}))
    apply(path, (old) => [...(Array.isArray(old) ? old : []), ...values])
  for (const [path, values] of Object.entries(change.pull ?? {}))
    apply(path, (old) => (Array.isArray(old) ? old.filter((value) => !values.includes(value)) : old), false)
  return next as D
}

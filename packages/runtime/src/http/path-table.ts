import type { ErrorShape, Operation } from '@cairn/contracts/http/operation'

/** Converts `{name}` and `{+name}` to Express's syntax. */
export const expressPath = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, ':$1').replaceAll(/\{\+(\w+)\}/g, '*$1')

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const patternOf = (path: string, segment: string, end: string): RegExp =>
  new RegExp(
    `^${path
      .split(/(\{\+?\w+\})/)
      .map((part) => (part.startsWith('{+') ? '.+' : part.startsWith('{') ? segment : escapePattern(part)))
      .join('')}${end}$`,
  )

/** Returns `{name}` parameters in order, without `{+name}`. */
export const parameterNames = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)

/** Returns a pattern that also matches empty parameters; undefined for a path without `{name}`. */
export const emptyParameterPattern = (path: string): RegExp | undefined =>
  parameterNames(path).length > 0 ? patternOf(path, '([^/]*)', path.endsWith('}') ? '' : '/?') : undefined

/** Methods, error shape and CORS of paths, which need not match a route. */
export const createPathTable = (operations: readonly Operation[]) => {
  const rows = operations.map(({ path, method, errors }) => ({
    pattern: patternOf(path, '[^/]+', '/?'),
    segments: path.split('/').slice(1),
    method: method.toUpperCase(),
    errors,
  }))
  // Shared by all routes, a shape is also that of unknown paths.
  const shapes = new Set(rows.map(({ errors }) => errors))
  const fallback: ErrorShape = shapes.size === 1 ? ([...shapes][0] as ErrorShape) : 'data'
  /** Returns upper-case methods; none if no row has the path. */
  const methodsAt = (path: string): readonly string[] => [
    ...new Set(rows.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
  ]
  const sharedLength = (template: readonly string[], segments: readonly string[]): number => {
    const differs = template.findIndex(
      (segment, index) => !(segment === segments[index] || (segment.startsWith('{') && segments[index] !== undefined)),
    )
    return differs < 0 ? template.length : differs
  }
  /** Returns the error shape of the row with the longest common prefix of segments. */
  const shapeAt = (path: string): ErrorShape => {
    const segments = path.split('/').slice(1)
    let [best, shape] = [0, fallback]
    for (const row of rows) {
      const length = sharedLength(row.segments, segments)
      if (length > best) [best, shape] = [length, row.errors]
    }
    return shape
  }
  const withoutCors = operations.filter(({ cors }) => cors === false).map(({ path }) => patternOf(path, '[^/]+', '/?'))
  /** Pages of other origins may read the responses. */
  const hasCors = (path: string): boolean => !withoutCors.some((pattern) => pattern.test(path))
  return { methodsAt, shapeAt, hasCors }
}

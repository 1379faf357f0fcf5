import { isUserObject } from '@cairn/contracts/documents/metadata'
import { limits } from '@cairn/contracts/limits'
import type * as z from 'zod'
import type { Call } from '../call.ts'

/** For programs that read no body. */
const warningsHeader = 'x-cairn-warnings'
const maxWarnings = 10
/** Proxies refuse responses with long headers. */
const maxHeaderLength = 1_000
/** Code points of an unknown name that a warning repeats. */
const shownLength = 40

/** Makes `topk` of `topK`, `top-k` and `top_k`. */
const looselySpelled = (name: string): string => name.toLowerCase().replace(/[_\- ]/g, '')

/** Quotes in ASCII, as headers require. */
const quoted = (name: string): string =>
  // A code point has at most two units.
  JSON.stringify(
    Array.from(name.slice(0, 2 * shownLength))
      .slice(0, shownLength)
      .join(''),
  ).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Warns of fields that the schema does not know, which are ignored, and of a capped `top_k`. */
export const warningsOfBody = (body: unknown, schema: z.ZodObject): string[] => {
  if (!isUserObject(body)) return []
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(schema.shape, name))
  const topK = body['top_k']
  const capped =
    typeof topK === 'number' && topK > limits.topK ? [`top_k ${topK} was treated as ${limits.topK}, the maximum.`] : []
  if (unknown.length === 0) return capped
  const known = new Map(Object.keys(schema.shape).map((name) => [looselySpelled(name), name]))
  const named = unknown.slice(0, maxWarnings - capped.length).map((name) => {
    const meant = known.get(looselySpelled(name.slice(0, 2 * shownLength)))
    return `The field ${quoted(name)} is unknown and was ignored${meant ? `; did you mean "${meant}"?` : '.'}`
  })
  const more = unknown.length - named.length
  return [...capped, ...named, ...(more > 0 ? [`${more} more unknown fields were ignored.`] : [])]
}

/** Sets the header of a successful response, as many whole warnings as fit; returns the fields of its body. */
export const withWarnings = (
  { setHeader }: Pick<Call, 'setHeader'>,
  warnings: string[],
): { readonly warnings?: string[] } => {
  if (warnings.length === 0) return {}
  let header = ''
  for (const warning of warnings) {
    if (header.length + 1 + warning.length > maxHeaderLength) break
    header = header === '' ? warning : `${header} ${warning}`
  }
  setHeader(warningsHeader, header)
  return { warnings }
}

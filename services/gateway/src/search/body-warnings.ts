import { isUserObject } from '@cairn/contracts/documents/metadata'
import { limits } from '@cairn/contracts/limits'
import type * as z from 'zod'
import type { Call } from '../call.ts'

/** Header with the warnings of a response, for programs that read no body. */
const warningsHeader = 'x-cairn-warnings'
const maxWarnings = 10
/** Cap on the header's bytes: proxies refuse responses with long headers. */
const maxHeaderLength = 1_000
/** Code points of an unknown name that a warning repeats. */
const shownLength = 40

/** Removes what distinguishes spellings of one name: `topK` and `top-k` are `topk`, as `top_k` is. */
const looselySpelled = (name: string): string => name.toLowerCase().replace(/[_\- ]/g, '')

/** Returns the beginning of a client's name in quotes and in ASCII, as headers require. */
const quoted = (name: string): string =>
  // A code point has at most two units.
  JSON.stringify(
    Array.from(name.slice(0, 2 * shownLength))
      .slice(0, shownLength)
      .join(''),
  ).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * Returns warnings of what a search or an answer does otherwise than its request may mean: fields that the schema does
 * not know are ignored, and `top_k` is capped.
 */
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

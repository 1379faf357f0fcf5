import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import type { FileProperties } from './block.ts'

const maxKeys = 100
const maxItems = 100
const maxUnits = 1000
/**
 * Maximum of the whole front matter, in UTF-16 units. The slowest known YAML of this size takes two seconds to parse.
 */
const maxSourceUnits = 64 * 1024
const keyForm = /^[\p{L}_][\p{L}\p{N}_ .-]{0,99}$/u
const reserved = new Set(['__proto__', 'constructor', 'prototype'])

type Value = string | number | boolean

/**
 * Returns the text of a scalar without quotes; undefined for null and other nodes. Removes characters that escapes can
 * write but stores reject.
 */
const textOf = (node: unknown): string | undefined =>
  isScalar(node) && node.value !== null
    ? (node.source ?? '').replaceAll('\0', '').trim().slice(0, maxUnits).toWellFormed()
    : undefined

const scalarOf = (node: unknown): Value | undefined => {
  const text = textOf(node)
  if (text === undefined || !isScalar(node)) return undefined
  const { value } = node
  // `007` and numbers beyond a double's precision remain text.
  return typeof value === 'boolean' || (typeof value === 'number' && String(value) === text) ? value : text
}

/**
 * Returns the keys of YAML front matter whose value is a scalar or a list of scalars. Reads the tree without converting
 * it, so that no alias is followed and no tag is resolved. If the YAML has errors, the part that was parsed counts; of
 * duplicate keys the last one wins.
 */
export const readFrontMatter = (lines: readonly string[]): FileProperties => {
  const source = lines.join('\n')
  if (source.length > maxSourceUnits) return {}
  const options = { schema: 'core', resolveKnownTags: false, uniqueKeys: false, prettyErrors: false } as const
  const { contents } = parseDocument(source, options)
  const found = new Map<string, Value | Value[]>()
  for (const { key, value } of isMap(contents) ? contents.items : []) {
    const name = textOf(key) ?? ''
    if (!keyForm.test(name) || reserved.has(name) || found.size >= maxKeys) continue
    // A title may be 1984 or true, so it is read as text. A list is not a title.
    const read =
      name === 'title'
        ? textOf(value)
        : isSeq(value)
          ? value.items.flatMap((item) => scalarOf(item) ?? [])
          : scalarOf(value)
    if (read !== undefined) found.set(name, Array.isArray(read) ? read.slice(0, maxItems) : read)
  }
  return Object.fromEntries(found)
}

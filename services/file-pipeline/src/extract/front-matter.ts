import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import type { FileProperties } from './block.ts'

const maxKeys = 100
const maxItems = 100
const maxUnits = 1000
/** Of all lines, in UTF-16 units. The slowest known to parse of this size takes two seconds. */
const maxSourceUnits = 64 * 1024
const keyForm = /^[\p{L}_][\p{L}\p{N}_ .-]{0,99}$/u
const reserved = new Set(['__proto__', 'constructor', 'prototype'])

type Value = string | number | boolean

/** The text of a scalar without its quotes; undefined for null and everything else. Escapes can write what no store takes. */
const textOf = (node: unknown): string | undefined =>
  isScalar(node) && node.value !== null ? (node.source ?? '').replaceAll('\0', '').trim().slice(0, maxUnits).toWellFormed() : undefined

const scalarOf = (node: unknown): Value | undefined => {
  const text = textOf(node)
  if (text === undefined || !isScalar(node)) return undefined
  const { value } = node
  // `007` and what a number cannot hold stay as they are written.
  return typeof value === 'boolean' || (typeof value === 'number' && String(value) === text) ? value : text
}

/**
 * The keys of YAML front matter that have a scalar or a list of scalars. The tree is read and never made into values: no alias is followed and
 * no tag is resolved. Where the YAML has errors, what the parser made of it counts; of two keys of one name the last does.
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
    // A post may be called 1984 or true; a list is no title.
    const read = name === 'title' ? textOf(value) : isSeq(value) ? value.items.flatMap((item) => scalarOf(item) ?? []) : scalarOf(value)
    if (read !== undefined) found.set(name, Array.isArray(read) ? read.slice(0, maxItems) : read)
  }
  return Object.fromEntries(found)
}

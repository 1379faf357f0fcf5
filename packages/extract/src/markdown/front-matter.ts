import { chunkKeys } from '@cairn/contracts/files/file-metadata'
import { isCollection, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import type { FileProperties } from '../block.ts'

const maxKeys = 100
const maxItems = 100
const maxUnits = 1000
/** UTF-16 units. The slowest known YAML of this size takes two seconds to parse. */
const maxSourceUnits = 64 * 1024
/** Properties up to these sizes fit into every chunk's metadata besides the chunk's own keys. */
const maxTitle = 300
const maxWholeKeys = 20
const maxWholeBytes = 1_000
const keyForm = /^[\p{L}_][\p{L}\p{N}_ .-]{0,99}$/u
const reserved = new Set(['__proto__', 'constructor', 'prototype'])

type Value = string | number | boolean

/** Removes characters that YAML escapes can produce but stores reject. */
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

export type FrontMatter = {
  readonly properties: FileProperties
  /** Whether `properties` hold everything, so that the front matter need not also be kept as text. */
  readonly isWhole: boolean
}

/** Maps, and lists within lists, stay text. */
const isHeld = (value: unknown): boolean =>
  isSeq(value)
    ? value.items.length <= maxItems && value.items.every((item) => !isCollection(item) && isHeld(item))
    : !isCollection(value) && (textOf(value)?.length ?? maxUnits) < maxUnits

const isKeyHeld = (name: string): boolean => (name === 'title' || !chunkKeys.has(name)) && keyForm.test(name)

/**
 * Returns undefined if the lines are not a well-formed mapping: they may be text. Reads the syntax tree, so that no
 * alias is followed and no tag resolved. Of duplicate keys the last one wins.
 */
export const readFrontMatter = (lines: readonly string[]): FrontMatter | undefined => {
  const source = lines.join('\n')
  if (source.length > maxSourceUnits) return undefined
  const options = { schema: 'core', resolveKnownTags: false, uniqueKeys: false, prettyErrors: false } as const
  const { contents, errors } = parseDocument(source, options)
  if (errors.length > 0 || !isMap(contents) || contents.items.length === 0) return undefined
  const found = new Map<string, Value | Value[]>()
  // A comment may be a slide's heading, and text may follow a blank line.
  let isWhole = (lines[0] ?? '').trim() !== '' && !/(?:^|\s)#/.test(source)
  for (const { key, value } of contents.items) {
    const name = textOf(key) ?? ''
    if (!isKeyHeld(name) || found.has(name) || !isHeld(value)) isWhole = false
    if (!keyForm.test(name) || reserved.has(name) || found.size >= maxKeys) continue
    // A title may look like a number or a boolean (1984, true). A list is not a title.
    const read =
      name === 'title'
        ? textOf(value)
        : isSeq(value)
          ? value.items.slice(0, maxItems).flatMap((item) => scalarOf(item) ?? [])
          : scalarOf(value)
    if (read !== undefined) found.set(name, read)
  }
  const properties = Object.fromEntries(found)
  if (String(properties['title'] ?? '').length > maxTitle || found.size > maxWholeKeys) isWhole = false
  if (Buffer.byteLength(JSON.stringify(properties)) > maxWholeBytes) isWhole = false
  return { properties, isWhole }
}

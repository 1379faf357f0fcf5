import type { FileProperties } from './block.ts'

const maxKeys = 100
const maxItems = 100
const maxUnits = 1000
const reserved = new Set(['__proto__', 'constructor', 'prototype'])

type Scalar = string | number | boolean

const scalar = (source: string): Scalar | undefined => {
  const text = source.trim()
  const quoted = /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/.exec(text)?.[1]
  if (quoted !== undefined)
    return quoted
      .replace(/\\(["\\/])/g, '$1')
      .replaceAll('\\n', '\n')
      .slice(0, maxUnits)
  const single = /^'((?:[^']|'')*)'\s*(?:#.*)?$/.exec(text)?.[1]
  if (single !== undefined) return single.replaceAll("''", "'").slice(0, maxUnits)
  const plain = text.replace(/\s+#.*$/, '')
  if (plain === '' || plain === '~' || plain === 'null' || plain.startsWith('#')) return undefined
  if (plain === 'true' || plain === 'false') return plain === 'true'
  // `007` and what a number cannot hold stay as they are written.
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(plain)) return Number(plain)
  return plain.slice(0, maxUnits)
}

/** Items of `[a, "b, c", d]`. */
const flowList = (source: string): Scalar[] => {
  const inner = source.trim().slice(1, -1)
  const items = inner.match(/\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|[^,]+/g) ?? []
  return items.flatMap((item) => scalar(item) ?? []).slice(0, maxItems)
}

/**
 * The keys of YAML front matter that stand at the margin and have a scalar or a list of scalars; what is nested is passed over. A small
 * reader on purpose: anchors, tags and merges of the whole language are what attacks are made of.
 */
export const readFrontMatter = (lines: readonly string[]): FileProperties => {
  const found = new Map<string, Scalar | Scalar[]>()
  let key: string | undefined
  let folded: { join: string; parts: string[] } | undefined
  const endFolded = () => {
    if (folded && key !== undefined) found.set(key, folded.parts.join(folded.join).trim().slice(0, maxUnits))
    folded = undefined
  }
  for (const line of lines) {
    const member = /^([\p{L}_][\p{L}\p{N}_ .-]{0,99}?)\s*:(?:\s+(.*))?$/u.exec(line.slice(0, maxUnits * 4))
    if (!member) {
      const item = /^\s*-\s+(.*)$/.exec(line)?.[1]
      if (folded) {
        folded.parts.push(line.trim())
      } else if (key !== undefined && item !== undefined && !/^[\w-]+:\s/.test(item)) {
        const list = found.get(key) ?? []
        const value = scalar(item)
        if (Array.isArray(list) && value !== undefined && list.length < maxItems) found.set(key, [...list, value])
      }
      continue
    }
    endFolded()
    key = undefined
    const name = member[1] ?? ''
    const value = (member[2] ?? '').trim()
    if (reserved.has(name) || found.size >= maxKeys) continue
    key = name
    if (/^[|>][-+]?$/.test(value)) folded = { join: value.startsWith('|') ? '\n' : ' ', parts: [] }
    else if (value.startsWith('[') && value.endsWith(']')) found.set(name, flowList(value))
    else if (!value.startsWith('{')) {
      const read = scalar(value)
      if (read !== undefined) found.set(name, read)
    }
  }
  endFolded()
  const title = found.get('title')
  // A post may be called 1984 or true; a list is no title.
  if (Array.isArray(title)) found.delete('title')
  else if (title !== undefined) found.set('title', String(title))
  return Object.fromEntries(found)
}

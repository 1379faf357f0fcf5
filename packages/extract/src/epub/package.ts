import type { FileProperties } from '../block.ts'
import { oneLine } from '../shared/clean-text.ts'
import { readSmallXml } from '../shared/office-part.ts'
import { type CheckedZip, entryName } from '../shared/zip-check.ts'
import { unreadable } from '../unreadable.ts'

const maxUnits = 1_000
const maxValues = 20
const propertyNames: Readonly<Record<string, string>> = {
  title: 'title',
  creator: 'author',
  language: 'language',
  date: 'created',
  subject: 'subject',
  description: 'description',
  publisher: 'publisher',
}

export type BookItem = { readonly path: string; readonly type: string }
export type Book = {
  readonly properties: FileProperties
  /** Each chapter once, in reading order. */
  readonly spine: readonly BookItem[]
  /** Preferred one first. */
  readonly contents: readonly BookItem[]
}

/** Returns undefined if the reference leads out of the book. */
export const partPath = (reference: string, from: string): string | undefined => {
  const resolved = URL.parse(
    reference.replace(/#.*$/s, ''),
    `file:///${from.split('/').map(encodeURIComponent).join('/')}`,
  )
  return resolved?.protocol === 'file:' && resolved.host === '' ? entryName(resolved) : undefined
}

/** Returns an empty id for the whole part. */
export const fragmentOf = (reference: string): string => {
  const fragment = /#(.*)$/s.exec(reference)?.[1] ?? ''
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

const container = 'META-INF/container.xml'

const packagePath = async (zip: CheckedZip): Promise<string> => {
  let found: string | undefined
  await readSmallXml(zip, container, {
    open(name, attribute) {
      const path = attribute('full-path')
      if (name === 'rootfile' && path) found ??= partPath(path, '')
    },
  })
  if (found === undefined || !zip.entries.has(found))
    throw unreadable('damaged', 'The description of the book is missing.')
  return found
}

const withoutTags = (text: string): string => oneLine(text.replace(/<[^<>]*>/g, ' '))

export const readPackage = async (zip: CheckedZip): Promise<Book> => {
  const path = await packagePath(zip)
  const items = new Map<string, BookItem>()
  const references: string[] = []
  const navigation: BookItem[] = []
  const values = new Map<string, string[]>()
  let ncx: string | undefined
  let text = ''
  let modified = false
  await readSmallXml(zip, path, {
    allowsDoctype: true,
    open(name, attribute) {
      text = ''
      modified = attribute('property') === 'dcterms:modified'
      if (name === 'item') {
        const part = partPath(attribute('href') ?? '', path)
        if (part === undefined) return
        const item = { path: part, type: attribute('media-type') ?? '' }
        items.set(attribute('id') ?? '', item)
        if ((attribute('properties') ?? '').split(/\s+/).includes('nav')) navigation.push(item)
      }
      if (name === 'spine') ncx = attribute('toc')
      if (name === 'itemref') references.push(attribute('idref') ?? '')
    },
    text(more) {
      if (text.length < maxUnits) text += more
    },
    close(name) {
      const property = modified ? 'modified' : Object.hasOwn(propertyNames, name) ? propertyNames[name] : undefined
      const value = withoutTags(text).slice(0, maxUnits).toWellFormed()
      text = ''
      if (property === undefined || value === '') return
      const known = values.get(property) ?? []
      values.set(property, known)
      if (known.length < maxValues) known.push(value)
    },
  })
  const joined = ['author', 'subject']
  const properties = [...values].map(([name, all]) => [name, joined.includes(name) ? all.join(', ') : all[0]])
  const spine = new Map(references.flatMap((id) => items.get(id) ?? []).map((item) => [item.path, item]))
  const older = items.get(ncx ?? '') ?? [...items.values()].find(({ type }) => type === 'application/x-dtbncx+xml')
  return {
    properties: Object.fromEntries(properties),
    spine: [...spine.values()],
    contents: [...navigation, ...(older ? [older] : [])],
  }
}

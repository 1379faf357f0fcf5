import { StringDecoder } from 'node:string_decoder'
import iconv from 'iconv-lite'
import type { FileProperties } from '../block.ts'
import { unreadable } from '../unreadable.ts'
import { byteOrderMark } from './encoding/encoding.ts'
import { shownAddress } from './link-address.ts'
import { type XmlHandler, xmlScan } from './xml-scan.ts'
import { type CheckedZip, entryName } from './zip-check.ts'

/** Yields the size of each piece read, in bytes. */
export async function* readXml(zip: CheckedZip, name: string, handler: XmlHandler): AsyncGenerator<number> {
  const scan = xmlScan(handler)
  let decoder: { write(chunk: Buffer): string; end(): string | undefined } | undefined
  for await (const chunk of zip.read(name)) {
    const mark = decoder ? undefined : byteOrderMark(chunk)
    decoder ??= mark && mark.name !== 'utf-8' ? iconv.getDecoder(mark.name) : new StringDecoder('utf8')
    scan.write(decoder.write(mark ? chunk.subarray(mark.mark) : chunk))
    yield chunk.length
  }
  scan.write(decoder?.end() ?? '')
  scan.end()
}

/** Does nothing if the part is missing; throws `PermanentError` if it is larger than `maxBytes`. */
export const readSmallXml = async (
  zip: CheckedZip,
  name: string,
  handler: XmlHandler,
  maxBytes = 16 * 1024 * 1024,
): Promise<void> => {
  const entry = zip.entries.get(name)
  if (!entry) return
  if (entry.uncompressedSize > maxBytes)
    throw unreadable('too_large_to_process', 'A part of the file is too large to be read.')
  for await (const _ of readXml(zip, name, handler));
}

export type Relation = { readonly id: string; readonly type: string; readonly target: string }

export const relationsPart = (part: string): string => {
  const slash = part.lastIndexOf('/')
  return `${part.slice(0, slash + 1)}_rels/${part.slice(slash + 1)}.rels`
}

const partOf = (target: string, folder: string): string | undefined => {
  const resolved = URL.parse(target.replaceAll('\\', '/'), `file:///${folder}`)
  return resolved?.protocol === 'file:' ? entryName(resolved) : undefined
}

/** `addresses`: links out of the file, by relation id. */
export const relationsAndLinks = async (
  zip: CheckedZip,
  part: string,
): Promise<{ readonly relations: readonly Relation[]; readonly addresses: ReadonlyMap<string, string> }> => {
  const folder = part.slice(0, part.lastIndexOf('/') + 1)
  const relations: Relation[] = []
  const addresses = new Map<string, string>()
  await readSmallXml(zip, relationsPart(part), {
    open(name, attribute) {
      const to = attribute('Target')
      if (name !== 'Relationship' || to === undefined) return
      const id = attribute('Id') ?? ''
      const isOutside = attribute('TargetMode') === 'External'
      const target = isOutside ? shownAddress(to) : partOf(to, folder)
      if (target === undefined) return
      if (isOutside) addresses.set(id, target)
      else relations.push({ id, type: (attribute('Type') ?? '').replace(/^.*\//, ''), target })
    },
  })
  return { relations, addresses }
}

/** Omits targets outside the file: nothing is ever fetched. */
export const relationsOf = async (zip: CheckedZip, part: string): Promise<readonly Relation[]> =>
  (await relationsAndLinks(zip, part)).relations

export const mainPart = async (zip: CheckedZip): Promise<string> => {
  const main = (await relationsOf(zip, '')).find(({ type }) => type === 'officeDocument')?.target
  if (!main || !zip.entries.has(main)) throw unreadable('damaged', 'The main part of the file is missing.')
  return main
}

const propertyNames = new Map([
  ['title', 'title'],
  ['creator', 'author'],
  ['subject', 'subject'],
  ['description', 'description'],
  ['keywords', 'keywords'],
  ['category', 'category'],
  ['language', 'language'],
  ['created', 'created'],
  ['modified', 'modified'],
])

export const officeProperties = async (zip: CheckedZip): Promise<FileProperties> => {
  const part =
    (await relationsOf(zip, '')).find(({ type }) => type === 'core-properties')?.target ?? 'docProps/core.xml'
  const values = new Map<string, string>()
  let name: string | undefined
  await readSmallXml(zip, part, {
    open(element) {
      name = propertyNames.get(element)
    },
    close() {
      name = undefined
    },
    text(text) {
      if (name) values.set(name, ((values.get(name) ?? '') + text).slice(0, 1000))
    },
  })
  const filled = [...values]
    .map(([key, value]) => [key, value.trim().toWellFormed()] as const)
    .filter(([, value]) => value !== '')
  return Object.fromEntries(filled)
}

import type { FileProperties } from '../../block.ts'
import type { PdfDocument } from './pdfium.ts'

const maxProperty = 2_000

const plain = (value: string): string | undefined => {
  const text = value
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, maxProperty)
    .toWellFormed()
  return text === '' ? undefined : text
}

/** Converts `D:20240131093000+01'00'` to RFC 3339; everything after the year is optional. */
const time = (value: string): string | undefined => {
  const found = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-]\d\d)'?(\d\d)?)?/.exec(value)
  if (!found) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone, zoneMinutes = '00'] = found
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone ? `${zone}:${zoneMinutes}` : 'Z'}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

export const readProperties = ({ pdfium, handle, utf16, latin1 }: PdfDocument): FileProperties => {
  const entryOf = (name: string): string =>
    latin1(name, (pointer) => utf16((buffer, bytes) => pdfium._FPDF_GetMetaText(handle, pointer, buffer, bytes)))
  const properties = {
    title: plain(entryOf('Title')),
    author: plain(entryOf('Author')),
    subject: plain(entryOf('Subject')),
    keywords: plain(entryOf('Keywords')),
    created: time(entryOf('CreationDate')),
    modified: time(entryOf('ModDate')),
  }
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined))
}

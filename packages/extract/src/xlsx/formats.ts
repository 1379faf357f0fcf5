import { SSF } from 'xlsx'
import { readSmallXml } from '../shared/office-part.ts'
import type { CheckedZip } from '../shared/zip-check.ts'

const general = 'General'

export type CellFormats = {
  /** Returns the number as displayed, or a date as ISO 8601. `style` is the cell's index into the styles. */
  readonly format: (source: string, style: number) => string
}

/** Significant digits that a spreadsheet keeps. */
const precision = 15

/** Spreadsheets display a large number as `1.23457E+11`, but it is an identifier as often as a quantity. */
const withDigits = (source: string, value: number): string | undefined => {
  const size = Math.abs(value)
  if (size < 1e11 || size >= 1e21) return undefined
  const digits = source.trim()
  return /^-?\d{12,21}$/.test(digits) ? digits : String(Number(value.toPrecision(precision)))
}

const two = (number: number): string => String(number).padStart(2, '0')

/** Returns undefined for durations and other formats. */
const partsOf = (format: string): { date: boolean; time: boolean } | undefined => {
  if (!SSF.is_date(format)) return undefined
  const [first = ''] = format.split(';')
  const bare = first.replace(/"[^"]*"|\\.|_./g, '')
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return undefined
  const signs = bare.replace(/\[[^\]]*\]/g, '')
  const time = /[hs]|am\/pm/i.test(signs)
  return { date: /[yde]/i.test(signs) || (!time && /m/i.test(signs)), time }
}

const asIso = (
  value: number,
  { date, time }: { date: boolean; time: boolean },
  date1904: boolean,
): string | undefined => {
  // Some programs write midnight as 23:59:59.9999.
  const rounded = Math.round(value * 86_400) / 86_400
  const code = SSF.parse_date_code(rounded, { date1904 }) as {
    y: number
    m: number
    d: number
    H: number
    M: number
    S: number
  } | null
  if (!code) return undefined
  const day = `${String(code.y).padStart(4, '0')}-${two(code.m)}-${two(code.d)}`
  const clock = `${two(code.H)}:${two(code.M)}:${two(code.S)}`
  return date ? (time ? `${day}T${clock}` : day) : clock
}

export const formatNumber = (source: string, format: string, date1904: boolean, parts = partsOf(format)): string => {
  const value = Number(source)
  const digits = /^general$/i.test(format) ? withDigits(source, value) : undefined
  if (digits !== undefined) return digits
  const iso = parts && asIso(value, parts, date1904)
  if (iso !== undefined) return iso
  try {
    const text = String(SSF.format(parts ? general : format, value, { date1904 }))
    // A format that displays nothing hides the value only visually; it stays searchable.
    return text.trim() === '' || /^#+$/.test(text) ? String(value) : text
  } catch {
    return String(value)
  }
}

export const readFormats = async (
  zip: CheckedZip,
  part: string | undefined,
  date1904: boolean,
): Promise<CellFormats> => {
  const custom = new Map<number, string>()
  const styles: number[] = []
  let inCells = false
  if (part) {
    await readSmallXml(zip, part, {
      open(name, attribute) {
        if (name === 'numFmt')
          custom.set(Number(attribute('numFmtId')), (attribute('formatCode') ?? general).slice(0, 1000))
        if (name === 'cellXfs') inCells = true
        if (name === 'xf' && inCells && styles.length < 100_000) styles.push(Number(attribute('numFmtId') ?? 0))
      },
      close(name) {
        if (name === 'cellXfs') inCells = false
      },
    })
  }
  const table = SSF.get_table() as Record<number, string | undefined>
  const cached = new Map<number, { format: string; parts: ReturnType<typeof partsOf> }>()
  const formatOf = (style: number) => {
    const id = styles[style] ?? 0
    let found = cached.get(id)
    if (!found) {
      const format = custom.get(id) ?? (Number.isInteger(id) && id >= 0 && id < 1000 ? table[id] : undefined) ?? general
      found = { format, parts: partsOf(format) }
      cached.set(id, found)
    }
    return found
  }
  return {
    format(source, style) {
      const { format, parts } = formatOf(style)
      return formatNumber(source, format, date1904, parts)
    },
  }
}

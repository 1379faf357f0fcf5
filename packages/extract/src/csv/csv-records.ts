/** UTF-16 units. A longer record is cut; a quote not closed within a field's length counts as broken. */
export const maxRecordUnits = 8 * 1024 * 1024
export const maxFieldUnits = 1024 * 1024
/** The maximum of spreadsheets. The rest becomes one unparsed field: a million fields would only use memory. */
export const maxFields = 16_384

export type CsvRecord = {
  /** From 1; blank lines count, as in a spreadsheet. */
  readonly row: number
  readonly fields: readonly string[]
  /** The quotes do not match, so the line was split without regard to quotes. */
  readonly broken: boolean
  /** Text beyond a limit was dropped. */
  readonly cut: boolean
}

/** Character codes. */
type Signs = { readonly delimiter: number; readonly quote: number }
type Parsed = { readonly fields: string[]; readonly end: number }

const lineFeed = 0x0a
const carriageReturn = 0x0d

const lineEnd = (text: string, index: number, last: boolean): { to: number; next: number } | undefined => {
  for (let to = index; to < text.length; to++) {
    const code = text.charCodeAt(to)
    if (code === lineFeed) return { to, next: to + 1 }
    if (code === carriageReturn) {
      if (to + 1 === text.length && !last) return undefined
      return { to, next: text.charCodeAt(to + 1) === lineFeed ? to + 2 : to + 1 }
    }
  }
  return last ? { to: text.length, next: text.length } : undefined
}

const hasText = (rest: string, delimiter: number, quote: number): boolean => {
  for (let index = 0; index < rest.length; index++) {
    const code = rest.charCodeAt(index)
    if (code !== delimiter && code !== quote && code !== 0x20 && code !== 0x09) return true
  }
  return false
}

const endOfQuoted = (text: string, open: number, quote: number): number => {
  const mark = String.fromCharCode(quote)
  for (let index = text.indexOf(mark, open + 1); index >= 0; index = text.indexOf(mark, index + 2))
    if (text.charCodeAt(index + 1) !== quote) return index
  return -1
}

/** `more`: the record continues beyond `text`. `broken`: a quote is not closed, or an invalid character follows it. */
const parseRecord = (
  text: string,
  start: number,
  { delimiter, quote }: Signs,
  last: boolean,
): Parsed | 'more' | 'broken' => {
  const fields: string[] = []
  const doubled = String.fromCharCode(quote, quote)
  /** Where the fields beyond `maxFields` begin; -1 while there are none. */
  let beyond = -1
  const take = (field: () => string) => {
    if (beyond < 0) fields.push(field())
  }
  const done = (to: number, end: number): Parsed => {
    const rest = beyond < 0 ? '' : text.slice(beyond, to)
    if (hasText(rest, delimiter, quote)) fields.push(rest)
    return { fields, end }
  }
  for (let index = start; ; ) {
    if (beyond < 0 && fields.length === maxFields) beyond = index
    let open = index
    while (text.charCodeAt(open) === 0x20) open++
    if (text.charCodeAt(open) === quote) {
      const close = endOfQuoted(text, open, quote)
      // The last unit may be the first half of a doubled quote.
      const isComplete = close >= 0 && (close + 1 < text.length || last)
      if (!isComplete) return last || text.length - open > maxFieldUnits ? 'broken' : 'more'
      take(() => text.slice(open + 1, close).replaceAll(doubled, doubled.charAt(0)))
      index = close + 1
      while (text.charCodeAt(index) === 0x20 && delimiter !== 0x20) index++
      if (index === text.length && !last) return 'more'
    } else {
      const from = index
      for (; index < text.length; index++) {
        const code = text.charCodeAt(index)
        if (code === delimiter || code === lineFeed || code === carriageReturn) break
      }
      if (index === text.length && !last) return 'more'
      const to = index
      take(() => text.slice(from, to))
    }
    const code = text.charCodeAt(index)
    if (code === delimiter) {
      index++
      continue
    }
    if (index === text.length) return done(index, index)
    if (code === lineFeed) return done(index, index + 1)
    if (code !== carriageReturn) return 'broken'
    if (index + 1 === text.length && !last) return 'more'
    return done(index, text.charCodeAt(index + 1) === lineFeed ? index + 2 : index + 1)
  }
}

const plainFields = (line: string, { delimiter, quote }: Signs): string[] => {
  const fields = line.split(String.fromCharCode(delimiter), maxFields)
  const taken = fields.reduce((sum, { length }) => sum + length + 1, 0)
  const beyond = line.slice(taken)
  return hasText(beyond, delimiter, quote) ? [...fields, beyond] : fields
}

/** Cuts fields that are too long. */
const recordOf = (row: number, fields: readonly string[], broken: boolean, cut = false): CsvRecord => {
  const isLong = (field: string, index: number) => index < maxFields && field.length > maxFieldUnits
  if (!fields.some(isLong)) return { row, fields, broken, cut }
  const kept = fields.map((field, index) => (isLong(field, index) ? field.slice(0, maxFieldUnits) : field))
  return { row, fields: kept, broken, cut: true }
}

class CsvReader {
  readonly #signs: Signs
  /** Text that is not read yet, and pieces not yet joined to it. */
  #rest = ''
  #pieces: string[] = []
  #waiting = 0
  /** Units to collect first, so that a long record is not parsed again for every piece. */
  #needed = 0
  #row = 0
  /** The rest of a record that is too long is passed over. */
  #isSkipping = false

  constructor(signs: Signs) {
    this.#signs = signs
  }

  write(piece: string): CsvRecord[] {
    this.#pieces.push(piece)
    this.#waiting += piece.length
    return this.#waiting < this.#needed ? [] : this.#read(false)
  }

  end(): CsvRecord[] {
    return this.#read(true)
  }

  #read(last: boolean): CsvRecord[] {
    this.#joinPieces()
    const records: CsvRecord[] = []
    let index = this.#isSkipping ? this.#endOfSkipped(last) : 0
    while (index < this.#rest.length && !this.#isSkipping) {
      const next = this.#readRecord(index, last, records)
      if (next === undefined) break
      index = next
    }
    this.#rest = this.#rest.slice(index)
    return records
  }

  #joinPieces(): void {
    this.#rest =
      this.#rest === '' && this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#rest + this.#pieces.join('')
    this.#pieces = []
    this.#waiting = 0
    this.#needed = 0
  }

  #endOfSkipped(last: boolean): number {
    const text = this.#rest
    const end = lineEnd(text, 0, last)
    this.#isSkipping = !end
    return end ? end.next : text.charCodeAt(text.length - 1) === carriageReturn ? text.length - 1 : text.length
  }

  /** Returns where the next record begins; undefined if more text is needed. */
  #readRecord(index: number, last: boolean, records: CsvRecord[]): number | undefined {
    const text = this.#rest
    const parsed = parseRecord(text, index, this.#signs, last)
    if (typeof parsed === 'object') {
      this.#row++
      if (parsed.fields.length > 1 || parsed.fields[0] !== '') records.push(recordOf(this.#row, parsed.fields, false))
      return parsed.end
    }
    const line = parsed === 'broken' ? lineEnd(text, index, last) : undefined
    if (!line && text.length - index <= maxRecordUnits) {
      this.#needed = text.length - index
      return undefined
    }
    const fields = plainFields(text.slice(index, line ? line.to : index + maxRecordUnits), this.#signs)
    records.push(recordOf(++this.#row, fields, parsed === 'broken', !line))
    this.#isSkipping = !line
    return line ? line.next : text.length
  }
}

/**
 * Yields the records of a text. No library is used: after an unclosed quote, parsing must continue at the next line,
 * not at the end of the file. Linear, because the quote that closes one stray quote opens the next.
 */
export async function* csvRecords(
  text: AsyncIterable<string>,
  delimiter: string,
  quoteMark: '"' | "'" = '"',
): AsyncGenerator<readonly CsvRecord[]> {
  const reader = new CsvReader({ delimiter: delimiter.charCodeAt(0), quote: quoteMark.charCodeAt(0) })
  for await (const piece of text) {
    const records = reader.write(piece)
    if (records.length > 0) yield records
  }
  const records = reader.end()
  if (records.length > 0) yield records
}

import { shorten } from '../shared/tables/table-rows.ts'
import type { JsonHandler } from './json-tokens.ts'

export type JsonRecord = {
  readonly path: string
  readonly text: string
  readonly isNull: boolean
}

const nameUnits = 200
const maxPrefixLength = 1000
const maxPathLength = 1000
/** UTF-16 units from which a record is emitted in parts. */
const recordUnits = 40_000

type Frame = {
  readonly array: boolean
  /** Current index in the array, or name in the object. */
  index: number
  name: string
  /** Enclosing names within the record. */
  readonly prefix: string
}

const pointerPart = (name: string | number): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The `name: value` lines of one record, or of a part of it. */
class RecordLines {
  readonly #lines: string[] = []
  #isNull = true
  #units = 0
  /** Array whose elements the last line lists. */
  #joined: Frame | undefined
  /** The last element ends a line, as in a notebook whose elements are the lines of a text. */
  #endsLine = false

  get isFull(): boolean {
    return this.#units > recordUnits
  }

  add(text: string, { name, frame, isNull }: { name: string; frame: Frame | undefined; isNull: boolean }): void {
    if (!isNull) this.#isNull = false
    const line = text.trim()
    const last = this.#lines.length - 1
    const isNext = frame?.array === true && this.#joined === frame && last >= 0
    if (isNext && this.#endsLine) {
      this.#lines[last] += `\n${text.trimEnd()}`
      this.#units += text.length + 1
    } else if (line !== '') {
      if (isNext) this.#lines[last] += `, ${line}`
      else this.#lines.push(name === '' ? line : `${name}: ${line}`)
      this.#joined = frame?.array ? frame : undefined
      this.#units += line.length + name.length + 3
    }
    this.#endsLine = text.endsWith('\n')
  }

  /** Returns undefined if there is nothing to emit: a null without a name has no information. */
  content(): Omit<JsonRecord, 'path'> | undefined {
    if (this.#lines.length === 0 || (this.#isNull && this.#lines.every((line) => line === 'null'))) return undefined
    return { text: this.#lines.join('\n'), isNull: this.#isNull }
  }
}

/**
 * Builds records from tokens: one for each element of an array, member of an object, object or array within an array in
 * such a member, or value of a `sequence`. A record is `name: value` lines, nested names joined by dots. No objects are
 * built, so that no name in a file can collide with a built-in property.
 */
export class JsonRecords implements JsonHandler {
  readonly #sequence: boolean
  readonly #emit: (record: JsonRecord) => void
  readonly #frames: Frame[] = []
  #roots = 0
  #lines = new RecordLines()
  #record: { readonly depth: number; readonly path: string } | undefined
  /** Path of an array in a root member whose elements become records. */
  #member: string | undefined

  constructor(sequence: boolean, emit: (record: JsonRecord) => void) {
    this.#sequence = sequence
    this.#emit = emit
  }

  open(array: boolean): void {
    this.#beginValue(true, array)
    const [root] = this.#frames
    // Elements that are arrays have no names, so the outer array's name precedes their values.
    const isRow = array && this.#member !== undefined && this.#frames.length === 2 && root !== undefined
    const prefix = isRow ? shorten(root.name, nameUnits) : this.#prefixFor(this.#frames.at(-1))
    this.#frames.push({ array, index: -1, name: '', prefix })
  }

  close(): void {
    this.#frames.pop()
    this.#endValue()
  }

  name(name: string): void {
    const frame = this.#frames.at(-1)
    if (frame) frame.name = name
  }

  value(kind: 'string' | 'number' | 'literal', text: string): void {
    this.#beginValue(false, false)
    const frame = this.#frames.at(-1)
    const name = frame ? this.#nameIn(frame) : ''
    this.#lines.add(text, { name, frame, isNull: kind === 'literal' && text === 'null' })
    if (this.#lines.isFull) this.#flush()
    this.#endValue()
  }

  /** Begins a record if the value is one. */
  #beginValue(container: boolean, array: boolean): void {
    const [root, inner] = this.#frames
    const frame = this.#frames.at(-1)
    if (frame?.array) frame.index++
    if (!root) {
      if (this.#sequence) this.#begin(pointerPart(this.#roots))
      else if (!container) this.#begin('')
      this.#roots++
    } else if (!this.#sequence && this.#frames.length === 1) {
      const path = pointerPart(root.array ? root.index : root.name)
      if (!root.array && array) this.#member = path
      this.#begin(path)
    } else if (this.#member !== undefined && inner && this.#frames.length === 2 && container) {
      this.#flush()
      this.#begin(this.#member + pointerPart(inner.index))
    }
  }

  #begin(path: string): void {
    this.#record = { depth: this.#frames.length, path }
  }

  /** Ends the record if the value is one. */
  #endValue(): void {
    const depth = this.#frames.length
    if (depth !== this.#record?.depth) return
    this.#flush()
    this.#record = this.#member !== undefined && depth === 2 ? { depth: 1, path: this.#member } : undefined
    if (depth <= 1) this.#member = undefined
  }

  #flush(): void {
    const path = this.#record?.path ?? ''
    const content = this.#lines.content()
    this.#lines = new RecordLines()
    if (content) this.#emit({ path: path.length <= maxPathLength ? path : '', ...content })
  }

  /** Names of the values in the frame, outermost first. */
  #nameIn(frame: Frame): string {
    const depth = this.#frames.length
    if (depth === this.#record?.depth && !(depth === 1 && !this.#sequence && !frame.array)) return ''
    const own = frame.array ? '' : shorten(frame.name, nameUnits)
    if (own === '') return frame.prefix
    return frame.prefix === '' ? own : frame.prefix.length > maxPrefixLength ? frame.prefix : `${frame.prefix}.${own}`
  }

  /** Elements of an array are numbered if they contain named values. */
  #prefixFor(frame: Frame | undefined): string {
    if (!frame) return ''
    const name = this.#nameIn(frame)
    const counted = frame.array && this.#record !== undefined && this.#frames.length > this.#record.depth
    return counted && name.length <= maxPrefixLength ? `${name === '' ? '' : `${name}.`}${frame.index}` : name
  }
}

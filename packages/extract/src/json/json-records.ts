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

/**
 * Builds records from tokens: one for each element of an array, member of an object, object or array within an array in
 * such a member, or value of a `sequence`. A record is `name: value` lines, nested names joined by dots. No objects are
 * built, so that no name in a file can collide with a built-in property.
 */
export const jsonRecords = (sequence: boolean, emit: (record: JsonRecord) => void): JsonHandler => {
  const frames: Frame[] = []
  let roots = 0
  let lines: string[] = []
  let units = 0
  let joinedTo: Frame | undefined
  /** The last element ends a line, as in a notebook whose elements are the lines of a text. */
  let endsLine = false
  let isNull = true
  let record: { depth: number; path: string } | undefined
  /** Path of an array in a root member whose elements become records. */
  let member: string | undefined

  const flush = () => {
    const path = record?.path ?? ''
    // A null without a name has no information.
    const isEmpty = lines.length === 0 || (isNull && lines.every((line) => line === 'null'))
    if (!isEmpty) emit({ path: path.length <= maxPathLength ? path : '', text: lines.join('\n'), isNull })
    lines = []
    isNull = true
    units = 0
    joinedTo = undefined
  }
  const begin = (path: string) => {
    record = { depth: frames.length, path }
  }
  const beginValue = (container: boolean, array: boolean) => {
    const [root, inner] = frames
    const frame = frames.at(-1)
    if (frame?.array) frame.index++
    if (!root) {
      if (sequence) begin(pointerPart(roots))
      else if (!container) begin('')
      roots++
    } else if (!sequence && frames.length === 1) {
      const path = pointerPart(root.array ? root.index : root.name)
      if (!root.array && array) member = path
      begin(path)
    } else if (member !== undefined && inner && frames.length === 2 && container) {
      flush()
      begin(member + pointerPart(inner.index))
    }
  }

  const leave = () => {
    if (!record || frames.length !== record.depth) return
    flush()
    record = member !== undefined && frames.length === 2 ? { depth: 1, path: member } : undefined
    if (frames.length <= 1) member = undefined
  }

  const nameHere = (frame: Frame): string => {
    if (record && frames.length === record.depth && !(frames.length === 1 && !sequence && !frame.array)) return ''
    const own = frame.array ? '' : shorten(frame.name, nameUnits)
    if (own === '') return frame.prefix
    return frame.prefix === '' ? own : frame.prefix.length > maxPrefixLength ? frame.prefix : `${frame.prefix}.${own}`
  }

  /** Elements of an array are numbered if they contain named values. */
  const prefixFor = (frame: Frame | undefined): string => {
    if (!frame) return ''
    const name = nameHere(frame)
    const counted = frame.array && record !== undefined && frames.length > record.depth
    return counted && name.length <= maxPrefixLength ? `${name === '' ? '' : `${name}.`}${frame.index}` : name
  }

  const add = (text: string) => {
    const frame = frames.at(-1)
    const name = frame ? nameHere(frame) : ''
    const line = text.trim()
    const last = lines.length - 1
    const isNext = frame?.array === true && joinedTo === frame && last >= 0
    if (isNext && endsLine) {
      lines[last] += `\n${text.trimEnd()}`
      units += text.length + 1
    } else if (line !== '') {
      if (isNext) lines[last] += `, ${line}`
      else lines.push(name === '' ? line : `${name}: ${line}`)
      joinedTo = frame?.array ? frame : undefined
      units += line.length + name.length + 3
    }
    endsLine = text.endsWith('\n')
    if (units > recordUnits) flush()
  }

  return {
    open(array) {
      beginValue(true, array)
      const [root] = frames
      // Elements that are arrays have no names, so the outer array's name precedes their values.
      const isRow = array && member !== undefined && frames.length === 2 && root !== undefined
      const prefix = isRow ? shorten(root.name, nameUnits) : prefixFor(frames.at(-1))
      frames.push({ array, index: -1, name: '', prefix })
    },
    close() {
      frames.pop()
      leave()
    },
    name(name) {
      const frame = frames.at(-1)
      if (frame) frame.name = name
    },
    value(kind, text) {
      beginValue(false, false)
      if (kind !== 'literal' || text !== 'null') isNull = false
      add(text)
      leave()
    },
  }
}

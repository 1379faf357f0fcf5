import type { JsonHandler } from './json-tokens.ts'
import { shorten } from './table-rows.ts'

export type JsonRecord = { readonly path: string; readonly text: string }

const nameUnits = 200
const longestPrefix = 1000
const longestPath = 1000
/** A record that is longer is handed on in parts. */
const recordUnits = 40_000

type Frame = {
  readonly array: boolean
  /** Of the value that is read now: its place in the array, or its name. */
  index: number
  name: string
  /** The names above, within the record. */
  readonly prefix: string
}

const pointerPart = (name: string | number): string => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * Makes records of what the tokens say: of each element of an array, each member of an object, each element of an array that is such a
 * member, each value when several follow one another (`sequence`). A record is lines `name: value`, names of what is nested joined by dots. No
 * object is ever built, so that no name in a file can collide with one of our properties.
 */
export const jsonRecords = (sequence: boolean, emit: (record: JsonRecord) => void): JsonHandler => {
  const frames: Frame[] = []
  let roots = 0
  let lines: string[] = []
  let units = 0
  let joinedTo: Frame | undefined
  /** Depth at which the record under way began, and where it is. */
  let record: { depth: number; path: string } | undefined
  /** An array in a member of the root: its own path, while its elements are records. */
  let member: string | undefined

  const flush = () => {
    const path = record?.path ?? ''
    if (lines.length > 0) emit({ path: path.length <= longestPath ? path : '', text: lines.join('\n') })
    lines = []
    units = 0
    joinedTo = undefined
  }

  const begin = (path: string) => {
    record = { depth: frames.length, path }
  }

  /** Called for each value before it is read: does a record begin with it? */
  const arrive = (container: boolean, array: boolean) => {
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

  /** Within its record. */
  const nameHere = (frame: Frame): string => {
    if (record && frames.length === record.depth && !(frames.length === 1 && !sequence && !frame.array)) return ''
    const own = frame.array ? '' : shorten(frame.name, nameUnits)
    if (own === '') return frame.prefix
    return frame.prefix === '' ? own : frame.prefix.length > longestPrefix ? frame.prefix : `${frame.prefix}.${own}`
  }

  /** Of what is in the value that is read now: elements of an array are numbered when they have names of their own within. */
  const prefixFor = (frame: Frame | undefined): string => {
    if (!frame) return ''
    const name = nameHere(frame)
    const counted = frame.array && record !== undefined && frames.length > record.depth
    return counted && name.length <= longestPrefix ? `${name === '' ? '' : `${name}.`}${frame.index}` : name
  }

  const say = (text: string) => {
    const frame = frames.at(-1)
    const name = frame ? nameHere(frame) : ''
    const shown = text.trim()
    if (shown !== '') {
      const last = lines.length - 1
      if (frame?.array && joinedTo === frame && last >= 0) lines[last] += `, ${shown}`
      else lines.push(name === '' ? shown : `${name}: ${shown}`)
      joinedTo = frame?.array ? frame : undefined
      units += shown.length + name.length + 3
      if (units > recordUnits) flush()
    }
  }

  return {
    open(array) {
      arrive(true, array)
      const prefix = prefixFor(frames.at(-1))
      // Elements of a record's own array are no part of its name.
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
      arrive(false, false)
      if (kind !== 'literal' || text !== 'null') say(text)
      leave()
    },
  }
}

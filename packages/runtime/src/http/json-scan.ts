const [quote, backslash, comma, colon, openBrace, closeBrace, openBracket, closeBracket] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d,
]
/** 1 for a byte with a structural meaning outside strings. Most bytes of vectors are digits. */
const structural = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number([quote, comma, colon, openBrace, closeBrace, openBracket, closeBracket].includes(byte)),
)
/** Bytes of a string read before searching for its end, which is faster only for long strings. */
const plainRun = 32
/** Longer names are not distinguished. */
const nameBytes = 64
const noBytes = Buffer.alloc(0)

/** Values that JSON.parse would build from the bytes so far. */
export type JsonCounts = {
  /** Open levels. */
  readonly depth: number
  /** All objects; includes repeated keys. */
  readonly keys: number
  /** Objects and arrays. */
  readonly containers: number
  /** Without the first element or member of each array or object. */
  readonly elements: number
}
export type JsonScanner = {
  /** Returns false from the first byte that exceeds the depth. */
  scan(bytes: Uint8Array): boolean
  counts(): JsonCounts
  /** Elements of the arrays in direct fields of the body: of a repeated name, the longest. Empty arrays count 1. */
  lengths(): ReadonlyMap<string, number>
}

/** Counts the elements of the arrays that are direct fields of the body. */
class FieldLengths {
  readonly all = new Map<string, number>()
  #elements = 0
  #isOpen = false

  open(): void {
    this.#isOpen = true
    this.#elements = 1
  }

  addElement(): void {
    this.#elements += 1
  }

  close(name: Uint8Array): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    const field = Buffer.from(name.subarray(0, nameBytes)).toString('latin1')
    // Few field names matter, but a body may have a hundred thousand.
    if (this.all.size < 100 || this.all.has(field))
      this.all.set(field, Math.max(this.all.get(field) ?? 0, this.#elements))
  }
}

/**
 * Counts the values while the bytes arrive, which need not be valid JSON. JSON.parse accepts any depth, but its result
 * overflows the stack later, and a few megabytes can become millions of objects at once.
 */
export const createJsonScanner = (maxDepth: number): JsonScanner => {
  let depth = 0
  let keys = 0
  let containers = 0
  let elements = 0
  let inString = false
  let escaped = false
  /** Latest string directly in the body: the field's name, if an array follows. */
  let name: Uint8Array = noBytes
  const fields = new FieldLengths()
  const open = (byte: number) => {
    depth += 1
    containers += 1
    if (depth === 2 && byte === openBracket) fields.open()
  }
  const close = () => {
    if (depth === 2) fields.close(name)
    depth -= 1
  }

  const scan = (bytes: Uint8Array): boolean => {
    let plain = 0
    let nextBackslash = -1
    /** Where a string directly in the body starts or continues in these bytes; -1: none. */
    let nameFrom = inString && depth === 1 ? 0 : -1
    /** Finds the end of the string, its next escape, or the end of the bytes. */
    const endOfPlain = (from: number): number => {
      if (nextBackslash < from) nextBackslash = bytes.indexOf(backslash, from)
      if (nextBackslash < 0) nextBackslash = bytes.length
      const nextQuote = bytes.indexOf(quote, from)
      return nextQuote < 0 ? nextBackslash : Math.min(nextQuote, nextBackslash)
    }
    const keepName = (end: number) => {
      if (nameFrom < 0) return
      name = Buffer.concat([name, bytes.subarray(nameFrom, Math.min(end, nameFrom + nameBytes))])
      nameFrom = -1
    }
    const { length } = bytes
    for (let index = 0; index < length; index += 1) {
      if (!inString) {
        while (index < length && structural[bytes[index] as number] === 0) index += 1
        if (index === length) break
      }
      const byte = bytes[index] as number
      if (escaped) {
        escaped = false
        plain = 0
      } else if (inString) {
        plain += 1
        if (byte === backslash) escaped = true
        else if (byte === quote) {
          inString = false
          keepName(index)
        } else if (plain === plainRun) {
          index = endOfPlain(index + 1) - 1
          plain = 0
        }
      } else if (byte === comma) {
        elements += 1
        if (depth === 2) fields.addElement()
      } else if (byte === quote) {
        inString = true
        plain = 0
        if (depth === 1) {
          name = noBytes
          nameFrom = index + 1
        }
      } else if (byte === colon) keys += 1
      else if (byte === closeBrace || byte === closeBracket) close()
      else {
        open(byte)
        if (depth > maxDepth) return false
      }
    }
    keepName(length)
    return true
  }
  return { scan, counts: () => ({ depth, keys, containers, elements }), lengths: () => fields.all }
}

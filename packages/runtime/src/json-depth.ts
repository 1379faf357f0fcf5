const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

/** By byte: whether it means something outside of strings. Most of a body of vectors is digits. */
const structural = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number([quote, openBrace, closeBrace, openBracket, closeBracket].includes(byte)),
)

/** So many bytes of a string are looked at one by one before its end is searched for, which pays only for long ones. */
const plainRun = 32

/**
 * Watches the nesting of JSON while its bytes arrive; false from the byte on that goes deeper than `maxDepth`. It need not be
 * valid JSON. JSON.parse takes any depth, but what is built from it overflows the stack later.
 */
export const createDepthScanner = (maxDepth: number): ((bytes: Uint8Array) => boolean) => {
  let depth = 0
  let inString = false
  let escaped = false
  return (bytes) => {
    let plain = 0
    let nextBackslash = -1
    /** Where the string ends, the next escape within it, or the end of the bytes. */
    const endOfPlain = (from: number): number => {
      if (nextBackslash < from) nextBackslash = bytes.indexOf(backslash, from)
      if (nextBackslash < 0) nextBackslash = bytes.length
      const nextQuote = bytes.indexOf(quote, from)
      return nextQuote < 0 ? nextBackslash : Math.min(nextQuote, nextBackslash)
    }
    const { length } = bytes
    for (let index = 0; index < length; index += 1) {
      if (!inString) {
        while (index < length && structural[bytes[index] as number] === 0) index += 1
        if (index === length) break
      }
      const byte = bytes[index]
      if (escaped) {
        escaped = false
        plain = 0
      } else if (inString) {
        plain += 1
        if (byte === backslash) escaped = true
        else if (byte === quote) inString = false
        else if (plain === plainRun) {
          index = endOfPlain(index + 1) - 1
          plain = 0
        }
      } else if (byte === quote) {
        inString = true
        plain = 0
      } else if (byte === openBrace || byte === openBracket) {
        depth += 1
        if (depth > maxDepth) return false
      } else if (byte === closeBrace || byte === closeBracket) depth -= 1
    }
    return true
  }
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Watches the nesting of JSON while its bytes arrive; false from the byte on that goes deeper than `maxDepth`. It need not be
 * valid JSON. JSON.parse takes any depth, but what is built from it overflows the stack later.
 */
export const createDepthScanner = (maxDepth: number): ((bytes: Uint8Array) => boolean) => {
  let depth = 0
  let inString = false
  let escaped = false
  return (bytes) => {
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index]
      if (escaped) escaped = false
      else if (inString) {
        if (byte === backslash) escaped = true
        else if (byte === quote) inString = false
      } else if (byte === quote) inString = true
      else if (byte === openBrace || byte === openBracket) {
        depth += 1
        if (depth > maxDepth) return false
      } else if (byte === closeBrace || byte === closeBracket) depth -= 1
    }
    return true
  }
}

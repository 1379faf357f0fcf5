/** Compressed data has 10 %. */
const maxShare = 0.05
/** Even a short text may have these. */
const few = 3
/** Different control characters that may be field separators, and so be more frequent. */
const maxSeparators = 2
const maxSeparatorShare = 1 / 3

/** Tab, line ends, the DOS end mark, and the ESC of ISO-2022 and terminals do occur in text. */
const isControl = (byte: number): boolean =>
  byte === 0x7f ||
  (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1a && byte !== 0x1b)

/** Returns text in an encoding that extends ASCII without its controls; undefined for binary data. */
export const plainBytes = (bytes: Buffer): Buffer | undefined => {
  const plain = Buffer.allocUnsafe(bytes.length)
  const kinds = new Set<number>()
  let length = 0
  let controls = 0
  for (const byte of bytes) {
    if (byte === 0) continue
    if (isControl(byte)) {
      controls++
      kinds.add(byte)
    } else plain[length++] = byte
  }
  const all = length + controls
  const isText =
    controls <= all * maxShare ||
    controls <= few ||
    (kinds.size <= maxSeparators && controls <= all * maxSeparatorShare)
  return isText && (length > 0 || bytes.length === 0) ? plain.subarray(0, length) : undefined
}

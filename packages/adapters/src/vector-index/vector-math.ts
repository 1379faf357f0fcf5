/** `offset` applies to `b`. Four sums let the processor overlap additions. */
export const dot = (a: Float32Array, b: Float32Array, offset = 0): number => {
  const length = a.length
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  let i = 0
  let j = offset
  for (; i + 3 < length; i += 4) {
    s0 += a[i]! * b[j]!
    s1 += a[i + 1]! * b[j + 1]!
    s2 += a[i + 2]! * b[j + 2]!
    s3 += a[i + 3]! * b[j + 3]!
    j += 4
  }
  for (; i < length; i++) s0 += a[i]! * b[j++]!
  return s0 + s1 + s2 + s3
}

/** Returns false if the vector is all zero or has a non-finite number; `into` is then unspecified. */
export const writeUnit = (vector: Float32Array, into: Float32Array): boolean => {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += vector[i]! ** 2
  if (!(squares > 0 && squares < Number.POSITIVE_INFINITY)) return false
  const factor = 1 / Math.sqrt(squares)
  for (let i = 0; i < vector.length; i++) into[i] = vector[i]! * factor
  return true
}

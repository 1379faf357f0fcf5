const encoder = new TextEncoder()

/** Limits batches by `bytes` of JSON. A larger value gets a batch of its own, which the server refuses. */
export const batches = async function* <T>(
  values: Iterable<T> | AsyncIterable<T>,
  size: number,
  bytes: number,
): AsyncGenerator<T[]> {
  let batch: T[] = []
  let filled = 0
  for await (const value of values) {
    const length = encoder.encode(JSON.stringify(value)).length + 1
    if (batch.length > 0 && (batch.length >= size || filled + length > bytes)) {
      yield batch
      batch = []
      filled = 0
    }
    batch.push(value)
    filled += length
  }
  if (batch.length > 0) yield batch
}

export const slices = <T>(values: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size))

/** Kept for the next content; what more were in use at once are left to the garbage collector. */
const mostIdle = 8

export type PartMemory = {
  /** Not cleared. */
  take(sizeBytes: number): Buffer
  /** Nobody may use it any more. */
  giveBack(memory: Buffer): void
}

/** Memory for parts, used again: made anew for each, it would be garbage faster than it is collected. */
export const createPartMemory = (): PartMemory => {
  let idle: Buffer[] = []
  return {
    take: (sizeBytes) => {
      idle = idle.filter(({ length }) => length === sizeBytes)
      return idle.pop() ?? Buffer.allocUnsafeSlow(sizeBytes)
    },
    giveBack: (memory) => {
      if (idle.length < mostIdle) idle.push(memory)
    },
  }
}

export type Part = {
  /** From 1. */
  readonly number: number
  readonly bytes: Buffer
  readonly isLast: boolean
  /** To be called once the part is not used any more; where that is not known it is not called. */
  done(): void
}

/** Content in parts of one size, the last of them smaller; content without a byte is one part. */
export async function* partsOf(content: AsyncIterable<Buffer>, sizeBytes: number, memory: PartMemory): AsyncGenerator<Part, void> {
  let number = 1
  let buffer = memory.take(sizeBytes)
  let filled = 0
  const part = (isLast: boolean): Part => {
    const own = buffer
    return { number, bytes: own.subarray(0, filled), isLast, done: () => memory.giveBack(own) }
  }
  for await (const chunk of content) {
    for (let from = 0; from < chunk.length; ) {
      if (filled === sizeBytes) {
        yield part(false)
        number += 1
        buffer = memory.take(sizeBytes)
        filled = 0
      }
      const copied = chunk.copy(buffer, filled, from)
      filled += copied
      from += copied
    }
  }
  yield part(true)
}

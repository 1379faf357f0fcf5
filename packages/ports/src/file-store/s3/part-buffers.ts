/** Buffers of one size that are used again: of what uploads leave behind, the garbage collector frees the bytes long after they are taken. */
export type PartBuffers = {
  readonly take: () => Buffer
  /** Only what nobody writes to or reads from any more: a request that was cut off may still be sending its part. */
  readonly giveBack: (buffer: Buffer) => void
}

/**
 * @param keep how many are kept for the next
 * @param idleMs after so long without use none is
 */
export const createPartBuffers = (bytes: number, { keep, idleMs }: { readonly keep: number; readonly idleMs: number }): PartBuffers => {
  const free: Buffer[] = []
  let idle: NodeJS.Timeout | undefined
  return {
    // Of its own, and not written to: what a small file does not fill takes no memory.
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(bytes),
    giveBack: (buffer) => {
      if (free.length < keep) free.push(buffer)
      clearTimeout(idle)
      idle = setTimeout(() => free.splice(0), idleMs).unref()
    },
  }
}

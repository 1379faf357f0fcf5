/**
 * Buffers are reused because the garbage collector frees discarded ones late.
 * @param keep the number of free buffers to keep
 * @param idleMs after this time without use, all free buffers are dropped
 */
export const createPartBuffers = (
  bytes: number,
  { keep, idleMs }: { readonly keep: number; readonly idleMs: number },
) => {
  const free: Buffer[] = []
  let idle: NodeJS.Timeout | undefined
  return {
    // Allocated outside the pool and not zeroed: pages that a small file does not fill use no memory.
    take: (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(bytes),
    /**
     * Nothing may read or write the buffer any more. After an aborted request, it is not given back: the request may
     * still be sending it.
     */
    giveBack: (buffer: Buffer): void => {
      if (free.length < keep) free.push(buffer)
      clearTimeout(idle)
      idle = setTimeout(() => free.splice(0), idleMs).unref()
    },
  }
}

export type PartBuffers = ReturnType<typeof createPartBuffers>

/**
 * Creates reusable buffers of one size. Reuse matters because the garbage collector frees discarded buffers late.
 *
 * @param keep the number of free buffers to keep
 * @param idleMs milliseconds without use after which all free buffers are dropped
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
     * Takes back a buffer that nothing reads or writes any more. After an aborted request, a buffer is not given back,
     * because the request may still be sending it.
     */
    giveBack: (buffer: Buffer): void => {
      if (free.length < keep) free.push(buffer)
      clearTimeout(idle)
      idle = setTimeout(() => free.splice(0), idleMs).unref()
    },
  }
}

export type PartBuffers = ReturnType<typeof createPartBuffers>

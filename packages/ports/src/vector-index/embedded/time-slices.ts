/** Lets other work of the thread run during a long operation: `if (slices.isOver()) await slices.next()`. */
export type TimeSlices = { isOver(): boolean; next(): Promise<void> }

export const createTimeSlices = (lengthMs: number): TimeSlices => {
  let end = performance.now() + lengthMs
  return {
    isOver: () => performance.now() >= end,
    next: () =>
      new Promise((resolve) => {
        setImmediate(() => {
          end = performance.now() + lengthMs
          resolve()
        })
      }),
  }
}

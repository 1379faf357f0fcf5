/** Lets other calls of the thread run in between a long one: `if (slices.isOver()) await slices.next()`. */
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

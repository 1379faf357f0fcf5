/**
 * Lets each caller repeat `call` without a pause for the given time. Resolves to the number of calls that completed
 * within it.
 */
export const keepBusy = async (callers: number, milliseconds: number, call: () => Promise<void>): Promise<number> => {
  const from = performance.now()
  const isTime = () => performance.now() - from < milliseconds
  let done = 0
  const caller = async () => {
    while (isTime()) {
      await call()
      if (isTime()) done += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return done
}

/** Ends a pass: a shared dependency is probably down, rather than single items at fault. */
const maxInARow = 3

/**
 * Creates a pass in which a failing item does not block the others. `run` rejects at the third consecutive failure,
 * with its error; `finish` throws the first error of the pass.
 */
export const oneByOne = () => {
  const failures: unknown[] = []
  let inARow = 0
  return {
    run: async (work: () => Promise<unknown>): Promise<void> => {
      try {
        await work()
        inARow = 0
      } catch (error) {
        failures.push(error)
        inARow += 1
        if (inARow >= maxInARow) throw error
      }
    },
    finish: (): void => {
      if (failures.length > 0) throw failures[0]
    },
  }
}

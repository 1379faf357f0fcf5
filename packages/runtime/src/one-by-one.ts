/** So many failures in a row are no fault of the one that is worked on: what they all need is away. */
const mostInARow = 3

/**
 * For a pass over many: one that can't be done does not keep the others from it.
 *
 *     const pass = oneByOne()
 *     for (const one of all) await pass.run(() => workOn(one))
 *     pass.finish()
 *
 * `run` rejects at the third failure in a row, with that one; `finish` throws the first one there was.
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
        if (inARow >= mostInARow) throw error
      }
    },
    finish: (): void => {
      if (failures.length > 0) throw failures[0]
    },
  }
}

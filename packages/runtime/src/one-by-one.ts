/** More failures in a row are not the fault of single items: something they all need is away. */
const maxInARow = 3

/**
 * Keeps one failing item of a pass from blocking the others.
 *
 *     const pass = oneByOne()
 *     for (const one of all) await pass.run(() => workOn(one))
 *     pass.finish()
 *
 * `run` rejects at the third failure in a row, with that error; `finish` throws the first error of the pass.
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

import { setFlagsFromString } from 'node:v8'

/**
 * Percent by which the heap may grow after a full collection until the next one. V8's default is up to four times this,
 * which makes a process that receives large files 80 MiB larger. NODE_OPTIONS can't set it.
 */
const heapGrowthPercent = 60

/** Prints a fatal error as one sentence on standard error, without a stack. */
export const printError = (error: unknown): void => {
  process.stderr.write(`cairn: ${error instanceof Error ? error.message : String(error)}\n`)
}

/** Runs `start`. An error is printed and ends the process with exit code 1. */
export const runMain = async (start: () => Promise<void>): Promise<void> => {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  try {
    await start()
  } catch (error) {
    printError(error)
    process.exit(1)
  }
}

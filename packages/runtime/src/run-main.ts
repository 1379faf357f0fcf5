import { setFlagsFromString } from 'node:v8'

/**
 * What a full collection leaves may grow by so many percent until the next. V8 itself waits for up to four times as much, by which a
 * process that takes in large files becomes 80 MiB larger. No flag in NODE_OPTIONS sets it.
 */
const heapGrowthPercent = 60

/** What stops a process is for people: a sentence on standard error, not a stack. */
export const printError = (error: unknown): void => {
  process.stderr.write(`cairn: ${error instanceof Error ? error.message : String(error)}\n`)
}

/** Of what stops the start it tells, and ends with exit code 1. */
export const runMain = async (start: () => Promise<void>): Promise<void> => {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  try {
    await start()
  } catch (error) {
    printError(error)
    process.exit(1)
  }
}

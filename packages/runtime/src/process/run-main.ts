import { setFlagsFromString } from 'node:v8'

/**
 * Until the next full collection. V8's default, up to four times this, makes a process that receives large files 80 MiB
 * larger; NODE_OPTIONS can't set it.
 */
const heapGrowthPercent = 60

/** Prints one sentence without a stack. */
export const printError = (error: unknown): void => {
  process.stderr.write(`cairn: ${error instanceof Error ? error.message : String(error)}\n`)
}

/** Prints an error and exits with 1. */
export const runMain = async (start: () => Promise<void>): Promise<void> => {
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  try {
    await start()
  } catch (error) {
    printError(error)
    process.exit(1)
  }
}

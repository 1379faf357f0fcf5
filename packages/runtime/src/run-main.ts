/** What stops a start is for people: a sentence on standard error and exit code 1, not a stack. */
export const runMain = async (start: () => Promise<void>): Promise<void> => {
  try {
    await start()
  } catch (error) {
    process.stderr.write(`cairn: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
}

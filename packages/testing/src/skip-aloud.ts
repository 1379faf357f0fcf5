/** Skips the running test and prints why: whether a reporter shows the reason depends on how it was started. */
export const skipAloud = (skip: (why: string) => never, why: string): never => {
  process.stderr.write(`skipped: ${why}\n`)
  return skip(why)
}
